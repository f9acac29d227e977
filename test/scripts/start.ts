import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { expect } from "chai";
import { isAddress } from "ethers";
import { games } from "../../sdk/games/index.js";
import { urlOf } from "../../scripts/local-chain.js";
import { addressesIn, freePort, listens, occupy, rpc, runScript, stopScripts } from "../support/running.js";

describe("npm start", () => {
  afterEach(stopScripts);

  let port: number;
  let args: string[];
  let folder: string;
  beforeEach(async () => {
    port = await freePort();
    args = ["--port", String(port)];
    folder = await mkdtemp(join(tmpdir(), "duello-"));
  });
  afterEach(() => rm(folder, { recursive: true }));

  /** Runs `npm start` with a separate folder for the deployment file. */
  const start = (...args: string[]) => runScript("scripts/start.ts", args, { DUELLO_DEPLOYMENTS: folder });

  /** Checks that the port is already free. */
  async function expectFree(): Promise<void> {
    await (await occupy(port)).close();
  }

  it("with --once --all plays a match of every game, prints and replays each match, and exits", async () => {
    const { code, stdout, stderr } = await start("--once", "--all", ...args).ended;
    expect([stderr, code]).to.deep.equal(["", 0]);
    const titles = [...stdout.matchAll(/^(.+): a staked match$/gm)].map(([, title]) => title);
    expect(titles).to.deep.equal(games.map(({ title }) => title));
    const ends = stdout.match(/^(Alice|Bob|Nobody) wins: (player [12] won|draw)\.$/gm);
    expect(ends).to.have.length(games.length);
    const replays = [...stdout.matchAll(/^Match (\d+) was replayed .*: all (\d+) log entries are identical\.$/gm)];
    expect(replays.map(([, matchId]) => Number(matchId))).to.deep.equal(games.map((_, i) => i + 1));
    for (const [, , entries] of replays) expect(Number(entries)).to.be.greaterThan(0);
    const addresses = addressesIn(stdout);
    expect([...addresses.keys()]).to.include.members([
      "Arena",
      "FightToken",
      "Fighters",
      ...games.map(({ contract }) => contract),
    ]);
    for (const address of addresses.values()) expect(isAddress(address)).to.equal(true);
    await expectFree();
  });

  it("prints one match in full and each other match in three lines, keeps running, and stops on SIGTERM", async () => {
    const running = start(...args);
    await listens(running);
    const [told, ...others] = games;
    const [firstLine, ...blocks] = running.text().split("\n\n");
    const page = /^Play in a browser: (http:\/\/127\.0\.0\.1:\d+\/)$/m.exec(firstLine)![1];
    const [, manual, notBuilt] = /^Manual: (http:\/\/127\.0\.0\.1:\d+\/)( \(not built yet: .+\))?$/m.exec(firstLine)!;
    expect((await fetch(manual)).status).to.be.oneOf(notBuilt === undefined ? [200] : [200, 503]);
    const relay = /^Relay for matches in channels: (http:\/\/127\.0\.0\.1:\d+)$/m.exec(firstLine)![1];
    expect(await (await fetch(relay)).text()).to.include("duello relay");
    expect(JSON.parse(readFileSync(join(folder, "31337.json"), "utf8"))).to.include({ relay });
    const answer = await fetch(page);
    expect(answer.status).to.equal(200);
    expect(answer.headers.get("content-security-policy")).to.include(urlOf(port)).and.include(relay);
    expect(await (await fetch(`${page}deployment.json`)).text()).to.include(urlOf(port));
    expect(blocks.filter((block) => block.endsWith(": a staked match"))).to.deep.equal([
      `${told.title}: a staked match`,
    ]);
    for (const { title } of others) {
      const lines = blocks.find((block) => block.startsWith(`${title}  `))!.split("\n");
      expect(lines, title).to.have.length(3);
      expect(lines[0]).to.match(/(Alice|Bob|Nobody) wins: .+\. \d+ transactions, [\d,]+ gas$/);
      expect(lines[1]).to.match(/^Paid: .+ Ratings: Alice \d+, Bob \d+\.$/);
      expect(lines[2]).to.match(/^Match \d was replayed .*identical\.$/);
    }
    const commands = running.text().match(/^ {2}npm run -s play -- .+$/gm);
    expect(commands).to.have.length(3);
    expect(running.text()).to.include(urlOf(port));
    expect(await rpc(port, "eth_chainId")).to.equal("0x7a69");
    for (const [name, address] of addressesIn(running.text())) {
      expect(await rpc(port, "eth_getCode", [address, "latest"]), name).to.match(/^0x6/);
    }
    expect(Number(await rpc(port, "eth_blockNumber"))).to.be.greaterThan(5);
    running.child.kill("SIGTERM");
    const { stderr, code } = await running.ended;
    expect([stderr, code]).to.deep.equal(["", 0]);
    await expectFree();
    for (const url of [page, manual, relay]) expect(await fetch(url).catch(() => "ended")).to.equal("ended");
  });

  it("ends on a SIGTERM to npm, even during its matches", async () => {
    const environment = { ...process.env, npm_config_ignore_scripts: "true", NO_COLOR: "1" };
    const inThe = { middle: / gas$/m, end: /Listening on/ };
    for (const moment of Object.values(inThe)) {
      const npm = spawn("npm", ["start", "--", "--no-agent", "--game", "auto-battler", ...args], {
        env: environment,
        stdio: ["ignore", "pipe", "ignore"],
      });
      let text = "";
      npm.stdout.setEncoding("utf8").on("data", (piece: string) => (text += piece));
      while (!moment.test(text) && npm.exitCode === null) await pause(20);
      npm.kill("SIGTERM");
      // The stream closes only after all processes have closed it.
      await once(npm, "close");
      await expectFree();
    }
  });

  it("obeys --no-page, --no-relay and --game, and keeps the deployment file of another running chain", async () => {
    const file = join(folder, "31337.json");
    const first = start("--no-page", "--no-relay", "--no-agent", "--game", "mini-games", ...args);
    await listens(first);
    expect(first.text()).not.to.include("browser").and.not.to.include("Manual").and.not.to.include("Relay");
    const written = readFileSync(file, "utf8");
    const port2 = await freePort();
    const another = () => start("--once", "--game", "auto-battler", "--port", String(port2)).ended;
    const { code, stdout } = await another();
    expect(code).to.equal(0);
    expect(readFileSync(file, "utf8")).to.equal(written);
    first.child.kill("SIGTERM");
    expect((await first.ended).code).to.equal(0);
    expect((await another()).code).to.equal(0);
    expect(readFileSync(file, "utf8")).not.to.equal(written);

    const [entries, ...more] = [...stdout.matchAll(/all (\d+) log entries are identical/g)].map(([, count]) =>
      Number(count),
    );
    expect(more).to.deep.equal([]);
    expect(stdout)
      .to.match(/^Round 1$/m)
      .and.not.to.include("--all tells");
    const turns = stdout.match(/^ {2}.+ (hits|lands a combo on|lunges at) .+$/gm);
    expect(turns?.length, "a line for each entry of the log").to.equal(entries);
  });

  for (const [script, ...args] of [
    ["scripts/start.ts"],
    ["scripts/bench.ts"],
    ["scripts/soak.ts"],
    ["scripts/deploy.ts"],
    ["scripts/page.ts"],
    ["scripts/docs.ts"],
    ["cli/simulate/main.ts"],
    ["cli/verify/main.ts"],
    ["cli/agent/main.ts"],
    ["cli/play/main.ts"],
    ["cli/play/main.ts", "challenge"],
  ]) {
    it(`--help works without a chain: ${[script, ...args].join(" ")}`, async () => {
      const nowhere = { DUELLO_RPC_URL: "http://127.0.0.1:9", DUELLO_DEPLOYMENTS: "/nowhere" };
      const { code, stdout, stderr } = await runScript(script, [...args, "--help"], nowhere).ended;
      expect([code, stderr]).to.deep.equal([0, ""]);
      expect(stdout)
        .to.match(/^Usage: /)
        .and.to.match(/\n {2}-h, --help /);
    });
  }

  it("reports in one line that the port is taken, and starts nothing", async () => {
    const other = await occupy(port);
    const { code, stdout, stderr } = await start("--once", ...args).ended;
    await other.close();
    const advice = `choose another, e.g. npm start -- --port ${port + 1}`;
    expect(stderr).to.equal(`Port ${port} of 127.0.0.1 is taken: stop what listens there, or ${advice}.\n`);
    expect([stdout, code]).to.deep.equal(["", 1]);
    await expectFree();
  });

  for (const wrong of [
    ["--twice"],
    ["now"],
    ["--port", "none"],
    ["--port", "65536"],
    ["--port", "0"],
    ["--game", "chess"],
    ["--page-port", "0"],
  ]) {
    it(`refuses ${wrong.join(" ")} with a one-line error`, async () => {
      const { code, stdout, stderr } = await start(...wrong).ended;
      expect(stderr)
        .to.match(/^[^\n]+\n$/)
        .and.to.include(wrong.at(-1));
      expect([stdout, code]).to.deep.equal(["", 1]);
    });
  }
});
