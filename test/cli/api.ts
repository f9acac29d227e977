import { readFileSync } from "node:fs";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { spawn, spawnSync } from "node:child_process";
import { setTimeout as pause } from "node:timers/promises";
import { expect } from "chai";
import type { ApiEvent, Game } from "../../cli/api/wire.js";
import { folderStore } from "../../cli/relay/folder/store.js";
import { Relay } from "../../cli/relay/relay.js";
import { channelsOf } from "../../sdk/chain/channels.js";
import { ApiClient } from "../support/api-support.js";
import { startWorld, type PlayWorld } from "../support/play-support.js";
import { freePort, runScript } from "../support/running.js";

const [ALICE, BOB] = [4, 5];

/** Files of the bots, which the page shows. */
const BOTS = { typescript: "examples/bots/bot.ts", python: "examples/bots/bot.py" };

/** Maximum number of lines of a bot. */
const MAX_LINES = 40;

const hasPython = spawnSync("python3", ["--version"]).status === 0;

describe("npm run api: bots", () => {
  let world: PlayWorld;
  let relay: Relay;
  const programs: { kill(signal: "SIGKILL"): unknown }[] = [];

  before(async () => {
    world = await startWorld();
    const at = { chainId: 31_337n, channels: channelsOf(world.addresses.Arena) };
    relay = await Relay.start({ ...at, store: folderStore(await mkdtemp(join(tmpdir(), "duello-relay-"))), port: 0 });
  });
  after(async () => {
    for (const program of programs) program.kill("SIGKILL");
    await relay.stop();
    await world.close();
  });

  /** Starts the API server of an account in a separate process. */
  async function serve(account: number): Promise<ApiClient> {
    const port = await freePort();
    const folder = await mkdtemp(join(world.folder, "api-"));
    const environment = { DUELLO_DEPLOYMENTS: world.folder, DUELLO_HOME: folder, DUELLO_RELAY: relay.url };
    const args = ["--account", String(account), "--port", String(port), "--rpc", `http://127.0.0.1:${world.port}`];
    const { child, text, errors } = runScript("cli/api/main.ts", args, environment);
    programs.push(child);
    while (!text().includes("A token for a day is in ")) {
      if (child.exitCode !== null) throw new Error(errors());
      await pause(50);
    }
    const [, file] = /^A token for a day is in (.*)$/m.exec(text())!;
    return new ApiClient(`http://127.0.0.1:${port}`, readFileSync(file, "utf8").trim());
  }

  /** Starts a bot, which plays through an API. @returns its output so far */
  function start([program, ...args]: readonly string[], { url, token }: ApiClient): () => string {
    const child = spawn(program, args, { env: { ...process.env, DUELLO_API: url, DUELLO_API_TOKEN: token } });
    programs.push(child);
    let output = "";
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding("utf8").on("data", (text) => (output += text));
    return () => output;
  }

  for (const [language, file] of Object.entries(BOTS)) {
    it(`has a bot of at most ${MAX_LINES} lines: ${language}`, () => {
      expect(readFileSync(file, "utf8").trimEnd().split("\n").length).to.be.at.most(MAX_LINES);
    });
  }

  it("plays whole matches between the bot in TypeScript and the bot in Python", async function () {
    if (!hasPython && process.env.CI === undefined) {
      console.log("      python3 is missing: the bot in Python is not tested.");
      this.skip();
    }
    const [alice, bob] = [await serve(ALICE), await serve(BOB)];
    const outputs = [start([process.execPath, BOTS.typescript], alice), start(["python3", BOTS.python], bob)];
    for (const [challenger, opponent, game] of [
      [alice, world.accounts[BOB], "tic-tac-toe"],
      [bob, world.accounts[ALICE], "rock-paper-scissors"],
    ] as const) {
      const finished = challenger.first<ApiEvent>("/api/stream/event", ({ type }) => type === "gameFinish");
      const { status, body } = await challenger.ask("POST", `/api/challenge/${opponent}`, { game });
      expect(status, JSON.stringify(body)).to.equal(200);
      const { id, result } = ((await finished) as { game: Game }).game;
      const line = new RegExp(`^Game ${id}: (You (win|lose)|A draw)\\.$`, "m");
      for (const output of outputs) while (!line.test(output())) await pause(50);
      expect(outputs.map((output) => line.exec(output())![1]).sort()).to.be.deep.oneOf([
        ["A draw", "A draw"],
        ["You lose", "You win"],
      ]);
      expect(result).to.include({ pot: { won: "own", lost: "other", draw: "none" }[result!.result] });
    }
    for (const output of outputs) expect(output().trim().split("\n"), output()).to.have.length(2);
  });
});
