import { chmod, mkdir, writeFile } from "node:fs/promises";
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { expect } from "chai";
import type { Command } from "commander";
import { duello, PROGRAMS } from "../../cli/duello/program.js";
import { mintProgram } from "../../cli/mint/program.js";
import { playProgram } from "../../cli/play/program.js";
import { commandText } from "../../cli/shared/match/next-step.js";
import { urlOf } from "../../scripts/local-chain.js";
import { runInside } from "../support/inside.js";
import { startWorld, type PlayWorld, type Terminal } from "../support/play-support.js";

const BOB = "0x9965507D1a55bcC2695C58ba16FB37d819B0A4dc";

/** Lists the subcommands of a command, at any depth. */
function below(command: Command): Command[] {
  return command.commands.flatMap((each) => [each, ...below(each)]);
}

/** Returns the printed help of a command. */
function helpOf(command: Command): string {
  let text = "";
  command.configureOutput({ writeOut: (part) => (text += part) });
  command.outputHelp();
  return text;
}

/** Returns the examples of a command, without the words that run its program. */
function examplesOf(command: Command, program: string): string[][] {
  const [, examples = ""] = helpOf(command).split("\nExamples:\n");
  const prefix = `  npm run -s ${program} -- `;
  const lines = examples.split("\n").filter((line) => line.startsWith(prefix));
  return lines.map((line) =>
    line
      .slice(prefix.length)
      .replace(/ > \S+$/, "")
      .split(" "),
  );
}

describe("The help of commands", () => {
  for (const [name, create] of Object.entries({ play: playProgram, mint: mintProgram })) {
    it(`shows examples for ${name} that the command accepts`, async () => {
      for (const command of below(create())) {
        const examples = examplesOf(command, name);
        expect(examples, command.name()).not.to.deep.equal([]);
        for (const words of examples) {
          const program = create();
          const ran: string[] = [];
          for (const each of below(program)) each.action(() => void ran.push(each.name()));
          await program.parseAsync(words, { from: "user" });
          expect(ran, words.join(" ")).to.deep.equal([command.name()]);
        }
      }
    });
  }

  for (const name of Object.keys(PROGRAMS)) {
    it(`shows examples for ${name}`, async () => {
      const { code, stdout } = await runInside(() => duello([name, "--help"]));
      expect(code).to.equal(0);
      expect(stdout).to.match(new RegExp(`\nExamples:\n  npm run -s ${name} --`));
    });
  }
});

describe("duello", () => {
  const run = (...args: string[]) => runInside(() => duello(args));

  it("prints the version of the package", async () => {
    const { stdout } = await run("--version");
    expect(stdout).to.match(/^\d+\.\d+\.\d+\n$/);
  });

  it("lists the other programs, and explains that their names come before the options", async () => {
    const { stdout } = await run("--help");
    for (const [name, { description }] of Object.entries(PROGRAMS)) {
      expect(stdout).to.include(`\n  ${name}`);
      expect(stdout.replace(/\s+/g, " ")).to.include(description);
    }
    const { code, stderr } = await run("--json", "verify", "1");
    expect(code).to.equal(2);
    expect(JSON.parse(stderr)).to.have.property(
      "error",
      "verify: name it before its options, as in npm run -s verify -- --help",
    );
  });

  it("suggests completions of commands and options", async () => {
    expect((await run("complete", "--", "chal")).stdout).to.match(/^challenge\tplay a whole match/);
    expect((await run("complete", "--", "challenge", "--pat")).stdout).to.match(/^--patience\t/);
    expect((await run("complete", "--", "verif")).stdout).to.match(/^verify\t/);
  });

  for (const shell of ["bash", "zsh"]) {
    it(`prints a completion script for ${shell}`, async () => {
      const { stdout } = await run("completion", shell);
      expect(stdout).to.include("duello complete --");
      if (shell === "bash") expect(spawnSync("bash", ["-n"], { input: stdout }).stderr.toString()).to.equal("");
    });
  }

  it("prints commands that begin with duello, or with npx duello if npx runs it", () => {
    const [, script] = process.argv;
    const { npm_command: command } = process.env;
    try {
      process.argv[1] = join("node_modules", ".bin", "duello");
      delete process.env.npm_command;
      expect(commandText(["show", "7"], { account: "4" })).to.equal("duello show 7 --account 4");
      process.env.npm_command = "exec";
      expect(commandText(["show", "7"])).to.equal("npx duello show 7");
    } finally {
      process.argv[1] = script;
      if (command === undefined) delete process.env.npm_command;
      else process.env.npm_command = command;
    }
    expect(commandText(["show", "7"])).to.equal("npm run -s play -- show 7");
  });
});

describe("The profile and npm run play -- doctor", () => {
  let world: PlayWorld;
  let someone: Terminal;

  before(async () => (world = await startWorld()));
  after(() => world.close());
  beforeEach(async () => {
    someone = (await world.terminal([])).with({ DUELLO_RPC_URL: undefined });
    await chmod(someone.home, 0o700);
  });

  const writeProfile = (profile: object) => writeFile(join(someone.home, "profile.json"), JSON.stringify(profile));
  const rpc = () => urlOf(world.port);
  const playerOf = async (...args: string[]) => (await someone.json<{ player: string }[]>("purse", ...args))[0].player;

  it("sets the node and the account, unless the command line or the environment does", async () => {
    const [alice, bob] = await Promise.all([4, 5].map(async (i) => (await world.provider.getSigner(i)).address));
    await writeProfile({ rpc: rpc(), account: "alice", accounts: { alice: 4, bob: 5 } });
    expect(await playerOf()).to.equal(alice);
    expect(await playerOf("--account", "bob")).to.equal(bob);
    expect(await playerOf("--account", "5")).to.equal(bob);
    const key = `0x${"11".repeat(32)}`;
    someone = someone.with({ DUELLO_PRIVATE_KEY: key });
    expect(await playerOf()).to.equal("0x19E7E376E7C213B7E7e7e46cc70A5dD086DAff2A");
    expect(await playerOf("--account", "alice")).to.equal(alice);
    expect(await someone.fail(2, "purse", "--rpc", "http://127.0.0.1:1")).to.match(/^--rpc: no chain answers/);
    expect(await someone.with({ DUELLO_RPC_URL: "http://127.0.0.1:1" }).fail(2, "purse")).to.match(/^--rpc: no chain/);
  });

  it("sets the keystore of an account, and names for addresses", async () => {
    await writeProfile({ rpc: rpc(), accounts: { main: "/no/such.json" }, players: { bob: BOB } });
    expect(await someone.fail(2, "purse", "--account", "main")).to.equal(
      "--keystore: /no/such.json: there is no such file",
    );
    expect(await someone.fail(2, "purse", "--account", "main", "--keystore", "/other.json")).to.equal(
      "--keystore: --account is given too",
    );
    expect(await playerOf("--of", "bob")).to.equal(BOB);
    expect(await someone.run("stats", "bob", "--game", "pistols")).to.include(BOB);
    expect(await someone.fail(2, "purse", "--of", "eve")).to.equal("--of: eve is not an address");
  });

  it("also applies if no command is named", async () => {
    await writeProfile({ rpc: rpc(), account: "alice", accounts: { alice: 4 } });
    expect(await someone.run()).to.match(/^No match needs you now\./);
  });

  it("names the agent to challenge by default", async () => {
    await writeProfile({ rpc: rpc(), account: "4", agent: "bob", players: { bob: BOB } });
    const child = someone.start("challenge", "dice", "6", "--yes");
    while ((await world.arena.matchCount()) === 1n) await new Promise((resolve) => setTimeout(resolve, 100));
    child.child.kill("SIGTERM");
    await child.ended;
    expect((await world.arena.matchOf(2)).player2).to.equal(BOB);
    await writeProfile({ rpc: rpc(), account: "4", agent: "eve" });
    expect(await someone.fail(2, "challenge", "dice", "6")).to.match(/profile\.json\.agent: eve is not an address$/);
  });

  for (const [profile, problem] of [
    [{ rcp: "x" }, ".rcp: unknown field"],
    [{ accounts: { alice: -1 } }, ".accounts.alice: -1 is below 0"],
    [{ players: { none: BOB } }, ".players.none: not a name of a letter and up to 31 letters, digits, - or _"],
    [{ players: { bob: "0x1" } }, ".players.bob: 0x1 is not an address"],
    [[], ": a list is not an object"],
  ] as const) {
    it(`is rejected with ${problem}`, async () => {
      await writeProfile(profile);
      const line = await someone.fail(2, "purse", "--rpc", rpc());
      expect(line).to.match(/profile\.json/);
      expect(line.endsWith(problem), line).to.equal(true);
    });
  }

  it("rejects an account name that the profile does not list", async () => {
    await writeProfile({ rpc: rpc(), accounts: { alice: 4, bob: 5 } });
    expect(await someone.fail(2, "purse", "--account", "eve")).to.equal(
      `--account: no account eve; ${join(someone.home, "profile.json")} names alice and bob`,
    );
  });

  it("passes doctor if nothing is wrong", async () => {
    await writeProfile({ rpc: `${rpc()},${rpc().replace("http", "ws")}`, account: "4" });
    const findings = await someone.json<{ part: string; isWell: boolean }[]>("doctor");
    const parts = ["profile", "files", "node", "node", "deployment", "history", "clock", "account", "relay", "index"];
    expect(findings.map(({ part }) => part)).to.deep.equal(parts);
    expect(findings.filter(({ isWell }) => !isWell)).to.deep.equal([]);
  });

  const wrongParts = async (...args: string[]) => {
    const { code, stdout } = await someone.end("doctor", "--json", ...args);
    expect(code).to.equal(1);
    const findings = JSON.parse(stdout) as { part: string; isWell: boolean; text: string }[];
    return findings.filter(({ isWell }) => !isWell);
  };

  it("report all problems at once", async () => {
    await chmod(someone.home, 0o755);
    const down = "http://127.0.0.1:1";
    const nodes = `${rpc()},ws://127.0.0.1:1`;
    const wrong = await wrongParts("--rpc", nodes, "--account", "99", "--relay", down, "--index", down);
    expect(wrong.map(({ part }) => part)).to.deep.equal(["files", "node", "account", "relay", "index"]);
    const [files, node, account, relay, index] = wrong.map(({ text }) => text);
    expect(node).to.match(/^127\.0\.0\.1:1 announces no events: /);
    expect(files).to.match(/can be opened by other users of this machine: chmod 700 /);
    expect(account).to.equal("--account: 99 is not between 0 and 19");
    expect(relay).to.match(/^The relay at http:\/\/127.0.0.1:1 does not answer/);
    expect(index).to.match(/^The index at http:\/\/127.0.0.1:1 does not answer/);
  });

  it("lets doctor check the rest if no chain answers or the account has no coin", async () => {
    expect((await wrongParts("--rpc", "http://127.0.0.1:1")).map(({ part }) => part)).to.deep.equal([
      "node",
      "deployment",
    ]);
    someone = someone.with({ DUELLO_PRIVATE_KEY: `0x${"22".repeat(32)}` });
    const [{ text }] = await wrongParts("--rpc", rpc());
    expect(text).to.match(/^0x\w{40} has no coin to pay for transactions: send it some$/);
  });

  it("lets doctor report contracts of the deployment that are missing on the chain", async () => {
    const folder = join(someone.home, "deployments");
    await mkdir(folder);
    const deployment = { chainId: 31337, block: 0, addresses: { ...world.addresses, FightToken: BOB } };
    await writeFile(join(folder, "31337.json"), JSON.stringify(deployment));
    someone = someone.with({ DUELLO_DEPLOYMENTS: folder });
    const [{ part, text }] = await wrongParts("--rpc", rpc());
    expect(part).to.equal("deployment");
    expect(text).to.match(new RegExp(`names contracts that are not on the chain: FightToken at ${BOB}$`));
  });
});
