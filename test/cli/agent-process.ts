import { existsSync } from "node:fs";
import { mkdtemp, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { expect } from "chai";
import { agent } from "../../cli/agent/program.js";
import { urlOf } from "../../scripts/local-chain.js";
import { readJson } from "../../cli/shared/files/json.js";
import { isLocked } from "../../cli/shared/files/lock.js";
import { gameAndMode } from "../../sdk/player/modes.js";
import { games } from "../../sdk/games/index.js";
import { runInside } from "../support/inside.js";
import { Terminal } from "../support/play-support.js";
import { requireContainers } from "../support/containers.js";
import {
  freePort,
  listens,
  runContained,
  runScript,
  stopScripts,
  type Ended,
  type Running,
} from "../support/running.js";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";

const AGENT = 6;

describe("npm run agent, and the agent of npm start", () => {
  let folder: string;
  let environment: NodeJS.ProcessEnv;
  let beside: Running;

  let port: number;

  before(async () => {
    port = await freePort();
    folder = mkdtempSync(join(tmpdir(), "duello-"));
    environment = { DUELLO_RPC_URL: urlOf(port), DUELLO_DEPLOYMENTS: folder, DUELLO_HOME: join(folder, "home") };
    beside = runScript(
      "scripts/start.ts",
      ["--port", String(port), "--game", "auto-battler", "--no-page"],
      environment,
    );
    await listens(beside);
  });
  after(() => {
    stopScripts();
    rmSync(folder, { recursive: true });
  });

  const terminal = async (account: number) =>
    new Terminal(await mkdtemp(join(folder, "home-")), ["--account", String(account)], environment);

  /** Starts an agent in a separate process, and waits until it reports that it plays. */
  async function started(...args: string[]): Promise<Running> {
    const running = runScript("cli/agent/main.ts", ["--account", String(AGENT), ...args], environment);
    while (!/I am 0x|"started"/.test(running.text())) {
      if (running.child.exitCode !== null) throw new Error((await running.ended).stderr);
      await pause(50);
    }
    return running;
  }

  /** Runs an agent that must refuse to start, in this process. @returns the line on standard error. */
  async function refused(code: number, ...args: string[]): Promise<string> {
    return refusedWith({}, code, ...args);
  }

  /** Runs an agent that must refuse to start, in a changed environment. @returns the line on standard error. */
  async function refusedWith(changes: NodeJS.ProcessEnv, code: number, ...args: string[]): Promise<string> {
    const main = () => agent(["--account", String(AGENT), ...args]);
    const ended = await runInside(main, { ...environment, ...changes });
    expect([ended.code, ended.stdout]).to.deep.equal([code, ""]);
    expect(ended.stderr).to.match(/^[^\n]+\n$/);
    return ended.stderr.trimEnd();
  }

  async function eventually(what: () => boolean): Promise<void> {
    while (!what()) await pause(50);
  }

  describe("the challenge command", () => {
    for (const args of [["rock-paper-scissors", "rock"], ["pistols"], ["tic-tac-toe"]]) {
      it(`plays a whole match against the agent of npm start: ${args[0]}`, async () => {
        const alice = await terminal(4);
        const { code, stdout, stderr } = await alice.end("challenge", ...args, "--wait", "1h");
        expect([code, stderr.trimEnd().split("\n").at(-1)]).to.satisfy(
          ([code, line]: [number, string]) =>
            code === 0 &&
            /^Match \d+: you challenge 0x\w+ to [\w-]+( [\w-]+)?\. The offer stands until .* UTC\.$/.test(line),
        );
        expect(stdout).to.match(
          /\nIt is over: .*\n(You win|You lose|A draw)\.\nPlayer 1: .*\nPlayer 2: .*\nNext: .*\n$/,
        );
        const matchId = /Match (\d+)/.exec(stderr)![1];
        await eventually(() => new RegExp(`#${matchId} .*\\n(.*\\n)*.*(I win|I lose|A draw)\\.`).test(beside.text()));
        const lines = beside.text().slice(beside.text().lastIndexOf(`#${matchId} `));
        expect(lines).to.match(
          /Player 1 .*(\n.*)*Player 2 .*\n(.*\n)*.*It is over: .* Paid: .*\n.*(I win|I lose|A draw)\./,
        );
      });
    }

    it("deposits what the purse lacks, and pays the pot to the winner", async () => {
      const alice = await terminal(5);
      const { matchId, status, settlement } = await alice
        .end("challenge", "rolled-dice", "0", "--stake", "2.5", "--json")
        .then(({ stdout }) => JSON.parse(stdout) as { matchId: string; status: string; settlement: { paid1: string } });
      expect(Number(matchId)).to.be.greaterThan(1);
      const paid = { P1Win: "4 FIGHT", P2Win: "0 FIGHT", Draw: "2.5 FIGHT" }[status];
      expect(await alice.run("purse", "--token", "FIGHT")).to.equal(paid);
      expect(settlement.paid1).to.equal(String(BigInt(Number.parseFloat(paid!) * 10) * 10n ** 17n));
    });

    it("exits with 1 if the agent declines the offer immediately", async () => {
      const alice = await terminal(5);
      const { code, stderr } = await alice.end("challenge", "strategy", "--stake", "1", "--wait", "1h", "--yes");
      expect(beside.text()).to.match(/I leave it: I play it for nothing only\. Always 9 never loses/);
      expect(beside.text()).to.match(/I have declined it: its challenger is refunded\./);
      const [, matchId] = /\n0x\w+ declined match (\d+): your stake is back in your purse\. /.exec(stderr)!;
      expect(code).to.equal(1);
      expect(await alice.run("show", matchId)).to.match(/^Match \d+: offer declined\n/);
    });

    it("lets the agent print the reason if it ignores the offer", async () => {
      const [opponent] = ((await readJson(join(folder, "31337.json"))) as { agents: string[] }).agents;
      const alice = await terminal(5);
      await alice.run("purse", "deposit", "FIGHT", "1");
      const stake = ["--stake", "1", "--opponent", opponent, "--yes"];
      await alice.end("create", "mini-games", "9", "--mode", "strategy", ...stake);
      await eventually(() => /I leave it: I play it for nothing only\. Always 9 never loses/.test(beside.text()));
    });

    it("has a unique name for every game and every mode", () => {
      for (const game of games)
        expect(gameAndMode(game.name, games)).to.deep.equal({ game, mode: Object.keys(game.modes)[0] });
      for (const game of games) {
        for (const mode of Object.keys(game.modes).filter((name) => name !== "default")) {
          expect(gameAndMode(mode, games)).to.deep.equal({ game, mode });
        }
      }
      expect(() => gameAndMode("default", games)).to.throw(
        "default: several games have such a mode; there are auto-battler, ",
      );
      expect(() => gameAndMode("chess", games)).to.throw("chess: no such game or mode; there are auto-battler, ");
    });

    it("requires --opponent if the deployment lists no agent", async () => {
      const file = join(folder, "31337.json");
      const text = await readFile(file, "utf8");
      const { agents, ...rest } = (await readJson(file)) as { agents: string[] };
      expect(agents).to.have.length(1);
      await writeFile(file, JSON.stringify(rest));
      const alice = await terminal(4);
      const line = await alice.fail(2, "challenge", "coin");
      await writeFile(file, text);
      expect(line).to.equal("--opponent: this deployment knows of no agent: name somebody");
    });
  });

  describe("in two containers that share a folder, each with a process of id 1", () => {
    /**
     * Runs a script in two containers. The second starts once the first has printed something.
     * @returns the output of the second
     */
    async function second(says: RegExp, script: string, args: () => Promise<string[]>): Promise<Ended> {
      const first = runContained(script, await args(), environment);
      await eventually(() => says.test(first.text()) || first.child.exitCode !== null);
      expect(first.text()).to.match(says);
      const other = runContained(script, await args(), environment);
      // An agent that is not rejected would run forever.
      await eventually(() => says.test(other.text()) || other.child.exitCode !== null);
      for (const { child } of [first, other]) child.kill("SIGKILL");
      await first.ended;
      return other.ended;
    }

    it("rejects a second agent of the same player", async function () {
      requireContainers(this);
      const { code, stdout, stderr } = await second(/I am 0x/, "cli/agent/main.ts", async () => ["--account", "7"]);
      expect([code, stdout]).to.deep.equal([1, ""]);
      expect(stderr).to.match(
        /^An agent plays for 0x\w+ already, process 1 on \S+: stop it first\. \S+ is locked\.\n$/,
      );
    });

    it("rejects a second relay on the same folder", async function () {
      requireContainers(this);
      const args = async () => ["--port", String(await freePort())];
      const { code, stdout, stderr } = await second(/is at http/, "cli/relay/main.ts", args);
      expect([code, stdout]).to.deep.equal([1, ""]);
      expect(stderr).to.match(
        /^A relay keeps its messages in \S+ already, process 1 on \S+: stop it first\. [^\n]+\n$/,
      );
    });
  });

  describe("as a process", () => {
    it("runs once per player, resumes after it was killed, and stops on request", async () => {
      const first = await started();
      const line = await refused(1);
      expect(line).to.match(
        /^An agent plays for 0x\w+ already, process \d+ on \S+: stop it first\. \S+\.lock is locked\.$/,
      );
      expect(line).to.include(` ${first.child.pid} on `);
      const log = /My log: (\S+)/.exec(first.text())![1];
      first.child.kill("SIGKILL");
      await first.ended;
      const alice = await terminal(4);
      const opponent = /I am (0x\w+),/.exec(first.text())![1];
      const offered = alice.start("challenge", "coin", "heads", "--opponent", opponent, "--wait", "1h");
      const monitored = `127.0.0.1:${await freePort()}`;
      const second = await started("--json", "--metrics", monitored);
      expect((await offered.ended).stdout).to.match(/It is over/);
      await eventually(() => second.text().includes('"settled"'));
      const health = await fetch(`http://${monitored}/health`);
      expect([health.status, await health.text()]).to.deep.equal([200, ""]);
      const counts = await (await fetch(`http://${monitored}/metrics`)).text();
      for (const event of ["monitored", "started", "taken", "joined", "settled"]) {
        expect(counts).to.include(`\nduello_agent_events_total{event="${event}"} 1\n`);
      }
      expect(counts).to.match(/\nduello_agent_matches \d\n/);
      expect((await fetch(`http://${monitored}/`)).status).to.equal(404);
      second.child.kill("SIGTERM");
      const { code, stdout, stderr } = await second.ended;
      expect([code, stderr]).to.deep.equal([0, ""]);
      const events = (text: string) =>
        text
          .trimEnd()
          .split("\n")
          .map((each) => (JSON.parse(each) as { event: string }).event);
      const told = ["monitored", "started", "taken", "joined", "settled", "stopped"];
      expect(events(stdout)).to.deep.equal(told);
      expect(events(await readFile(log, "utf8"))).to.deep.equal(["started", ...told]);
      expect(isLocked(log.replace(/jsonl$/, "lock"))).to.equal(false);
    });

    it("rejects a policy with a wrong field, a file without secrets, and a wrong command line", async () => {
      const file = join(folder, "policy.json");
      await writeFile(file, '{ "clock": { "min": "1s" }, "house": 25 }');
      expect(await refused(2, "--config", file)).to.equal("house: 25 is above 20");
      await writeFile(file, "{");
      expect(await refused(2, "--config", file)).to.match(/policy\.json: not JSON/);
      expect(await refused(2, "--config", "none.json")).to.match(/^none\.json: /);
      expect(await refused(2, "--metrics", "9465")).to.equal("--metrics: 9465 is no address such as 127.0.0.1:9464");
      expect(await refused(1, "--metrics", `127.0.0.1:${port}`)).to.match(/^Port \d+ of 127\.0\.0\.1 is taken: /);
      const key = join(folder, "key.json");
      await writeFile(key, await (await terminal(4)).run("secrets", "export"));
      expect(await refused(2, "--secrets", key)).to.match(
        /key\.json: it is a player's key: export the secrets of one /,
      );
      expect(await refused(2, "--twice")).to.match(/unknown option/);
      expect(existsSync(join(folder, "home", "secrets"))).to.equal(false);
    });

    it("rejects an invalid relay URL from any source when it starts", async () => {
      const wrong = "localhost:8090";
      const why = `${wrong} is not an address of HTTP`;
      expect(await refused(2, "--relay", wrong)).to.equal(`--relay: ${why}`);
      expect(await refused(2, "--relay", "http://")).to.equal("--relay: http:// is not an address of HTTP");
      expect(await refusedWith({ DUELLO_RELAY: wrong }, 2)).to.equal(`DUELLO_RELAY: ${why}`);
      const other = await mkdtemp(join(folder, "deployments-"));
      const deployment = (await readJson(join(folder, "31337.json"))) as object;
      await writeFile(join(other, "31337.json"), JSON.stringify({ ...deployment, relay: wrong }));
      const line = await refusedWith({ DUELLO_DEPLOYMENTS: other }, 2);
      expect(line)
        .to.match(/31337\.json: relay: /)
        .and.include(why);
    });

    it("exits with a one-line error if its log cannot be written", async () => {
      const log = await mkdtemp(join(folder, "log-"));
      expect(await refused(1, "--log", log)).to.include(
        `The log ${log} cannot be written: it is a folder, not a file.`,
      );
    });
  });
});
