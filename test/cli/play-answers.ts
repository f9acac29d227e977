import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { expect } from "chai";
import { ZeroAddress, ZeroHash, type Interface } from "ethers";
import { readJson } from "../../cli/shared/files/json.js";
import { Vault } from "../../cli/shared/files/vault.js";
import { decodeAnswer } from "../../sdk/protocol/commit-reveal.js";
import { actionToSend, answerToSend, type Round } from "../../sdk/player/shown-answers.js";
import { games } from "../../sdk/games/index.js";
import type { OpenTurn } from "../../sdk/games/moves.js";
import type { Client } from "../../sdk/player/client.js";
import { Status } from "../../sdk/protocol/status.js";
import { Arena__factory, Pistols__factory } from "../../typechain-types/index.js";
import { proxyTo, type Intercept } from "../support/play-proxy.js";
import { startWorld, type PlayWorld, type Terminal } from "../support/play-support.js";
import type { Running } from "../support/running.js";

const [ALICE, BOB] = [4, 5];
/** A chain id that is not a local chain's, so that the test decides which blocks are final. */
const ELSEWHERE = 31_340;
const isSend = (method: string) => method === "eth_sendTransaction";

describe("A stored answer", () => {
  const WORDS = ["3"];
  const [OLD, NEW] = ["0x01", "0x02"];
  const refusal = (abi: Interface, name: string, args: unknown[]) =>
    Object.assign(new Error(name), { data: abi.encodeErrorResult(name, args) });
  const ofArena: Interface = Arena__factory.createInterface();
  const wrong = refusal(Pistols__factory.createInterface(), "WrongRound", [7, ZeroHash, ZeroHash]);
  let vault: Vault;
  let folder: string;
  const round: Round = { chainId: 1, arena: ZeroAddress, matchId: 7n, after: 1, commitment: ZeroHash };

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "duello-"));
    vault = new Vault(folder);
    await vault.keepShown(round, { moveArgs: "3", answer: OLD });
  });
  afterEach(() => rm(folder, { recursive: true }));

  /**
   * Sends an answer while another one is stored. The chain refuses the stored answer for this reason, or accepts it.
   * @returns the outcome, and the stored answer.
   */
  async function comesOf(reason?: Error, made: () => Promise<string> = async () => NEW, moveArgs = WORDS) {
    const asked: (string | undefined)[] = [];
    const make = (shown?: string) => (asked.push(shown), made());
    const dryRun = () => (reason === undefined ? Promise.resolve() : Promise.reject(reason));
    const came = await answerToSend(vault, { round, moveArgs, games, make, dryRun }).catch((error: unknown) => error);
    return [came, asked, (await vault.shown(round))!.answer];
  }

  it("is sent unchanged while the chain accepts it", async () => {
    expect(await comesOf()).to.deep.equal([OLD, [], OLD]);
  });

  it("is rebuilt from the revealed move and stored again if the chain refuses it permanently", async () => {
    expect(await comesOf(wrong)).to.deep.equal([NEW, [OLD], NEW]);
  });

  it("stays stored if the chain refuses it only for now, or if the node fails", async () => {
    const outage = new Error("nobody answers");
    for (const reason of [refusal(ofArena, "TooLate", [7, 1, 2]), refusal(ofArena, "JoinTooSoon", [7, 1, 1]), outage]) {
      expect(await comesOf(reason)).to.deep.equal([reason, [], OLD]);
    }
  });

  it("stays stored if rebuilding it fails", async () => {
    const other = new Error("refused");
    expect(await comesOf(wrong, () => Promise.reject(other))).to.deep.equal([other, [OLD], OLD]);
  });

  it("is never replaced by another move", async () => {
    const [error, ...rest] = await comesOf(wrong, undefined, ["4"]);
    expect(String(error)).to.match(/^Error: This commitment was answered with 3 before: send that again\. /);
    expect(rest).to.deep.equal([[], OLD]);
  });

  it("names the move of an action by the arguments of a command", async () => {
    const turn = { game: ZeroAddress, history: { addresses: { Pistols: ZeroAddress } } } as unknown as OpenTurn;
    const composed = { turn, move: [1, 3], data: NEW, encodeAgain: async () => OLD };
    const next = { ...round, after: 2 };
    expect(await actionToSend(vault, { games } as unknown as Client, next, composed)).to.equal(NEW);
    expect(await vault.shown(next)).to.deep.equal({ moveArgs: "light block", answer: NEW });
  });

  it("is reported as already revealed only for another commitment of the same match and round", async () => {
    const commitment = `0x${"11".repeat(32)}`;
    const shown = [{ moveArgs: "3", answer: OLD }];
    expect(await vault.shownElsewhere({ ...round, commitment })).to.deep.equal(shown);
    expect(await vault.shownElsewhere(round)).to.deep.equal([]);
    expect(await vault.shownElsewhere({ ...round, commitment, after: 3 })).to.deep.equal([]);
    expect(await vault.shownElsewhere({ ...round, commitment, matchId: 8n })).to.deep.equal([]);
  });
});

describe("npm run play: revealed answers", function () {
  let world: PlayWorld;
  let alice: Terminal;
  let bob: Terminal;
  let addresses: string[];
  let snapshot: unknown;
  const lines: { close: () => Promise<void> }[] = [];

  before(async () => {
    world = await startWorld();
    addresses = world.accounts;
    const deployment = { chainId: ELSEWHERE, block: 0, addresses: world.addresses };
    await writeFile(join(world.folder, `${ELSEWHERE}.json`), JSON.stringify(deployment));
  });
  after(() => world.close());
  beforeEach(async () => {
    snapshot = await world.provider.send("evm_snapshot", []);
    [alice, bob] = await Promise.all([ALICE, BOB].map((number) => world.terminal(["--account", String(number)])));
  });
  afterEach(async () => {
    for (const line of lines.splice(0)) await line.close();
    await world.provider.send("evm_revert", [snapshot]);
  });

  const statusOf = (matchId: number) => world.arena.statusOf(matchId);
  const latest = () => world.provider.getBlockNumber();

  async function through(who: Terminal, intercept: Intercept): Promise<Terminal> {
    const line = await proxyTo(world.port, intercept);
    lines.push(line);
    return who.with({ DUELLO_RPC_URL: line.url });
  }

  /** Returns the person's terminal, with a node whose chain is not local. */
  async function elsewhere(who: Terminal, final: () => number | undefined, intercept: Intercept = () => undefined) {
    return through(who, (method, params) => {
      if (method === "eth_chainId") return `0x${ELSEWHERE.toString(16)}`;
      if (method !== "eth_getBlockByNumber" || params[0] !== "finalized") return intercept(method, params);
      const block = final();
      return world.provider.send(method, [block === undefined ? "latest" : `0x${block.toString(16)}`, false]);
    });
  }

  async function says(running: Running, pattern: RegExp): Promise<void> {
    while (!pattern.test(running.errors())) {
      if (running.child.exitCode !== null) throw new Error(`it ended: ${running.errors()}`);
      await pause(20);
    }
  }

  const deadLine: Intercept = (method) => {
    if (isSend(method)) throw new Error("the line is dead");
  };
  const toBob = () => ["--opponent", addresses[BOB]];

  /** Reads the stored answers. */
  async function kept(who: Terminal): Promise<{ moveArgs: string; answer: string }[]> {
    const folder = join(who.home, "answers");
    const files = (await readdir(folder, { recursive: true })).filter((name) => name.endsWith(".json"));
    const read = await Promise.all(files.map((name) => readJson(join(folder, name))));
    return (read as { version: number; moveArgs: string; answer: string }[]).map(({ version: _, ...shown }) => shown);
  }

  async function answerIn(matchId: number): Promise<string> {
    const [joined] = await world.arena.queryFilter(world.arena.filters.Joined(matchId));
    return joined.args.data;
  }

  /** Fights duels until Bob's archetype or strength has changed. */
  async function promote(first: number): Promise<void> {
    const duelists = Pistols__factory.connect(world.addresses.Pistols, world.provider);
    const standing = async () => String((await duelists.duelistOf(addresses[BOB])).standing);
    const before = await standing();
    for (let matchId = first; (await standing()) === before; matchId++) {
      await alice.end("create", "pistols", "1", ...toBob());
      await (await world.terminal(["--account", String(BOB)])).end("join", String(matchId), "1");
      await alice.end("reveal", String(matchId), "light", "block");
      await bob.end("act", String(matchId), "light", "block");
      await alice.end("reveal", String(matchId));
      expect(await statusOf(matchId)).to.be.greaterThan(Status.AllJoined);
    }
  }

  describe("a stored answer", () => {
    it("is sent unchanged after its player's standing has changed, and takes the seat", async () => {
      await alice.end("create", "pistols", "5", ...toBob());
      const cut = await bob.elsewhere();
      expect((await (await through(cut, deadLine)).end("join", "2", "3")).stderr).to.include("the line is dead");
      const [before] = await kept(cut);
      await promote(3);
      const other = await cut.end("join", "2", "4");
      expect(other.stderr).to.include("This commitment was answered with 3 before: send that again.");
      const { code, stderr } = await cut.end("join", "2", "3");
      expect(code, stderr).to.equal(0);
      expect(await answerIn(2)).to.equal(before.answer);
      expect(await kept(cut)).to.deep.equal([before]);
    });

    it("stays unchanged if the refusal is temporary, or the node does not answer", async () => {
      await alice.end("create", "pistols", "5", ...toBob());
      const cut = await bob.elsewhere();
      await (await through(cut, deadLine)).end("join", "2", "3");
      const before = await kept(cut);
      // Other transactions take the nonce, so that joining is tried again, not just resent.
      await promote(3);
      const deaf = await through(cut, (method, params) => {
        if (method === "eth_call" && params[1] === "pending") throw new Error("nobody answers");
      });
      const silent = await deaf.end("join", "2", "3");
      expect([silent.code, silent.stderr.split("\n").at(-2)]).to.deep.equal([1, "nobody answers"]);
      await world.pass(86_401);
      expect((await cut.end("join", "2", "3")).stderr).to.match(/\nToo late for match 2: .*\n$/);
      expect(await kept(cut)).to.deep.equal(before);
    });
  });

  describe("an answer in one step", () => {
    const JOIN = ["join", "2", "rock"];
    const create = (...flags: string[]) =>
      alice.run("create", "mini-games", "paper", "--mode", "rock-paper-scissors", ...toBob(), ...flags);
    const WAITING = /^Waiting until the offer is final before your move is shown, for \d+ s at most\.\n/;

    it("is not shown before the offer is final", async () => {
      let final = await latest();
      await create();
      const running = (await elsewhere(bob, () => final)).start(...JOIN);
      await says(running, WAITING);
      await pause(500);
      expect(await statusOf(2)).to.equal(Status.P1Deposited);
      final = await latest();
      expect((await running.ended).code).to.equal(0);
      expect(await statusOf(2)).to.equal(Status.AllJoined);
    });

    it("takes two steps if the wait used up the offer's time", async () => {
      let final = await latest();
      await create("--firm", "20m");
      const running = (await elsewhere(bob, () => final)).start(...JOIN);
      await says(running, WAITING);
      await world.pass(600);
      await says(running, /Your stake is in, and player 1 is bound\. Waiting until that is final before your move is/);
      expect(await statusOf(2)).to.equal(Status.AllDeposited);
      final = await latest();
      expect((await running.ended).code).to.equal(0);
      expect(await statusOf(2)).to.equal(Status.AllJoined);
    });

    it("is not revealed to another offer that replaced it in a reorganisation", async () => {
      let final = await latest();
      const before: unknown = await world.provider.send("evm_snapshot", []);
      await create("--firm", "2d");
      const running = (await elsewhere(bob, () => final)).start(...JOIN);
      await says(running, WAITING);
      await world.provider.send("evm_revert", [before]);
      await create("--firm", "2d");
      final = await latest();
      const { code, stderr } = await running.ended;
      expect([code, stderr]).to.match(
        /^1,.*\nMatch 2 has become a different offer while you waited: look at it, then join/,
      );
      expect(await statusOf(2)).to.equal(Status.P1Deposited);
    });

    it("does not wait in a game without commitments", async () => {
      const final = await latest();
      await alice.end("create", "tic-tac-toe", "4", ...toBob());
      const { code, stderr } = await (await elsewhere(bob, () => final)).end("join", "2", "0");
      expect([code, stderr]).to.match(/^0,/);
      expect(stderr).not.to.match(/Waiting/);
    });

    it("needs the player's confirmation if another commitment has replaced the one that it answered", async () => {
      const before: unknown = await world.provider.send("evm_snapshot", []);
      await create();
      await (await elsewhere(bob, () => undefined, deadLine)).end(...JOIN);
      const [{ moveArgs, answer }] = await kept(bob);
      expect(moveArgs).to.equal("rock");
      await world.provider.send("evm_revert", [before]);
      await create();
      const there = await elsewhere(bob, () => undefined);
      const known =
        "Warning: You have shown rock in match 2, to a commitment that was undone since. Whoever made this one may";
      for (const [word, warning] of [
        ["rock", `${known} know that: the same move again may lose for certain.\n`],
        ["scissors", `${known} know that.\n`],
      ]) {
        const { code, stderr } = await there.end("join", "2", word);
        expect([code, stderr]).to.deep.equal([1, `${warning}Nothing was sent. Add --yes to accept the warnings.\n`]);
      }
      expect(await statusOf(2)).to.equal(Status.P1Deposited);
      expect((await there.end("join", "2", "scissors", "--yes")).code).to.equal(0);
      expect(decodeAnswer(await answerIn(2)).salt).not.to.equal(decodeAnswer(answer).salt);
    });
  });
});
