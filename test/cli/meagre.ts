import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "chai";
import { ZeroAddress, ZeroHash } from "ethers";
import { urlOf } from "../../scripts/local-chain.js";
import { runVerify } from "../../cli/verify/command.js";
import { games } from "../../sdk/games/index.js";
import { Client } from "../../sdk/player/client.js";
import { Status } from "../../sdk/protocol/status.js";
import { openSteppedAgent } from "../support/agent-support.js";
import { runInside } from "../support/inside.js";
import { meagreNode } from "../support/meagre-support.js";
import { startWorld, type PlayWorld, type Terminal } from "../support/play-support.js";

const [ALICE, BOB, OLGA, AGENT] = [4, 5, 7, 6];

describe("A busy node that serves ten blocks per request and no old state", function () {
  let world: PlayWorld;
  let node: Awaited<ReturnType<typeof meagreNode>>;
  let snapshot: unknown;

  before(async () => {
    world = await startWorld();
  });
  after(() => world.close());

  beforeEach(async () => {
    snapshot = await world.provider.send("evm_snapshot", []);
    node = await meagreNode(world.port);
  });
  afterEach(async () => {
    await node.close();
    await world.provider.send("evm_revert", [snapshot]);
  });

  const mine = (blocks: number) => world.provider.send("hardhat_mine", [`0x${blocks.toString(16)}`]);
  const at = (account: number, url = node.url) =>
    world.terminal(["--account", String(account)], { DUELLO_RPC_URL: url });
  const addressOf = async (account: number) => (await world.provider.getSigner(account)).getAddress();

  /** Runs a command that must succeed, and print only waits on standard error. @returns its standard output. */
  async function done(terminal: Terminal, ...args: string[]): Promise<string> {
    const { code, stdout, stderr } = await terminal.end(...args);
    expect(code, `${args.join(" ")}: ${stderr}`).to.equal(0);
    expect(stderr, args.join(" ")).to.match(/^((Reading|Waiting|Between newcomers)[^\n]+\n)*$/);
    return stdout.trimEnd();
  }

  it("lets players offer, find, join, watch, reveal, replay and verify a match", async () => {
    const [alice, bob] = [await at(ALICE), await at(BOB)];
    await mine(100);
    for (const each of [alice, bob]) await done(each, "purse", "deposit", "FIGHT", "50");
    expect(await done(alice, "fighters")).to.match(/^15 {2}attack/);
    expect(await done(bob, "cards")).to.match(/ready/);
    const team1 = ["15", "16", "17", "18", "19"];
    const offer = ["--stake", "50", "--opponent", await addressOf(BOB)];
    expect(await done(alice, "create", "auto-battler", ...team1, ...offer)).to.match(/^2 {2}auto-battler {2}an offer/);
    await mine(60);
    expect(await done(bob, "list")).to.match(/\n2 +auto-battler {2}an offer/);
    expect(await done(bob, "show", "2")).to.match(/was offered by player 1/);
    expect(await done(bob, "join", "2", "22", "23", "24", "25", "26")).to.match(/in play/);
    expect(await done(alice, "watch", "2", "--turn")).to.match(/has joined/);
    expect(await done(alice, "fighters")).to.match(/^15 .*committed in match 2/);
    expect(JSON.parse(await done(alice, "secrets", "export", "2"))).to.have.length(1);
    await mine(60);
    expect(await done(alice, "reveal", "2")).to.match(/^It is over/);
    expect(await done(bob, "watch", "2")).to.match(/It is over/);
    await mine(60);
    expect(await done(bob, "replay", "2")).to.match(/every payment are identical\.$/);
    expect(await done(bob, "list", "--all", "--mine")).to.match(/\n2 +/);
    const environment = { DUELLO_DEPLOYMENTS: world.folder, DUELLO_RPC_URL: node.url };
    const verified = await runInside(() => runVerify(["--all"]), environment);
    expect([verified.code, verified.stdout.slice(0, 21)], verified.stderr).to.deep.equal([0, "Identical: 2 matches."]);
    expect(verified.stderr).to.match(/^Reading blocks: 10 of \d+\n/);
  });

  it("lets players play a duel of two rounds without reading all earlier blocks", async () => {
    const [alice, bob] = [await at(ALICE), await at(BOB)];
    await mine(5000);
    await done(alice, "create", "pistols", "10", "--opponent", await addressOf(BOB));
    await mine(100);
    await done(bob, "join", "2", "9");
    const before = node.questions();
    const { code, stderr } = await alice.end("reveal", "2");
    // Blades are needed unless the match ended with the first round.
    expect(code, stderr).to.equal((await world.arena.statusOf(2n)) > Status.AllJoined ? 0 : 2);
    if (code !== 0) await done(alice, "reveal", "2", "block", "light");
    // The command reads backwards only as far as the offer.
    expect(node.questions() - before).to.be.lessThan(100);
  });

  it("lets the agent play, and reveal for a player who is offline", async () => {
    await mine(100);
    const alice = await at(ALICE, urlOf(world.port));
    const opponent = await openSteppedAgent(world, { account: AGENT, rpc: node.url });
    try {
      await alice.run("create", "mini-games", "paper", "--mode", "rock-paper-scissors", "--opponent", opponent.address);
      await opponent.settle();
      expect(await world.arena.statusOf(2n)).to.equal(Status.AllJoined);
      const [first, second, third] = await alice.json<{ id: string }[]>("cards");
      const team = [first, second, third].map(({ id }) => id);
      await alice.run("create", "guardians", ...team, "--opponent", opponent.address);
      await opponent.settle();
      expect(await world.arena.statusOf(3n)).to.equal(Status.AllJoined);
    } finally {
      opponent.close();
    }
    await alice.run("allow", await addressOf(OLGA));
    const file = join(world.folder, "match-2.json");
    await writeFile(file, await alice.run("secrets", "export", "2"));
    const olga = await openSteppedAgent(world, { account: OLGA, rpc: node.url, plays: false, secrets: [file] });
    try {
      await olga.settle(2);
      expect(await world.arena.statusOf(2n)).to.equal(Status.AllJoined);
      await world.pass(70_000);
      await olga.settle();
      expect(await world.arena.statusOf(2n)).to.be.greaterThan(Status.AllJoined);
    } finally {
      olga.close();
    }
  });

  describe("when it caps results", () => {
    const [CAP, MANY] = [10, 60];
    const options = { gasLimit: 1_000_000 };

    /** Creates offers and withdraws them immediately, in separate blocks or all in one block. */
    async function spam(count: number, inOne = false): Promise<void> {
      const olga = await world.provider.getSigner(OLGA);
      const arena = world.arena.connect(olga);
      const game = world.addresses.TicTacToe;
      const terms = {
        game,
        mode: ZeroHash,
        token: ZeroAddress,
        stake1: 0n,
        stake2: 0n,
        clock: 60n,
        feeBps: 2000n,
        rated: false,
      };
      const first = await world.arena.matchCount();
      if (inOne) await world.provider.send("evm_setAutomine", [false]);
      for (let i = 1n; i <= count / 3; i++) {
        await arena.create(terms, ZeroAddress, 0, "0x04", options);
        await arena.cancel(first + i, options);
      }
      if (inOne) {
        await world.provider.send("evm_setBlockGasLimit", ["0x3b9aca00"]);
        await mine(1);
        await world.provider.send("evm_setAutomine", [true]);
      }
    }

    for (const inOne of [false, true]) {
      it(`lets a reveal and the agent succeed despite ${MANY} spam events at a node that returns ${CAP}, ${inOne ? "all in one block" : "in separate blocks"}`, async () => {
        await node.close();
        node = await meagreNode(world.port, { blocks: 10_000, results: CAP });
        const [alice, opponent] = [await at(ALICE), await openSteppedAgent(world, { account: AGENT, rpc: node.url })];
        try {
          await done(
            alice,
            "create",
            "mini-games",
            "paper",
            "--mode",
            "rock-paper-scissors",
            "--opponent",
            opponent.address,
          );
          await opponent.settle(1);
          await spam(MANY, inOne);
          await opponent.settle();
          expect(await world.arena.statusOf(2n)).to.equal(Status.AllJoined);
          await spam(MANY, inOne);
          expect(await done(alice, "reveal", "2")).to.match(/^It is over/);
          await opponent.settle();
          expect(opponent.reports().at(-1)).to.include({ event: "settled", match: "2" });
          expect(opponent.reports().filter(({ event }) => event === "trouble")).to.deep.equal([]);
        } finally {
          opponent.close();
        }
      });
    }
  });

  it("gets no request for a match that a stored list marks as over on the node's chain", async () => {
    const alice = await at(ALICE);
    const olga = await Client.connect(world.addresses, games, await world.provider.getSigner(OLGA));
    const terms = {
      game: world.addresses.TicTacToe,
      mode: ZeroHash,
      token: ZeroAddress,
      stake1: 0n,
      stake2: 0n,
      clock: 60n,
      rated: false,
    };
    const { matchId } = await olga.create({ terms, data: "0x04" }, { acceptedRisks: ["short-clock", "squatters"] });
    expect(await done(alice, "list")).to.match(/\n2 +tic-tac-toe/);
    const file = join(alice.home, "matches", `31337-${world.addresses.Arena}.json`);
    const known = JSON.parse(await readFile(file, "utf8")) as { count: number; open: number[]; hash: string };
    expect([known.count, known.open]).to.deep.equal([2, [2]]);
    await olga.cancel(matchId);
    expect(await done(alice, "list")).to.equal("There are none.");
    // Data of another chain at the same URL is ignored.
    await writeFile(file, JSON.stringify({ ...known, count: 7, hash: ZeroHash }));
    await olga.create({ terms, data: "0x04" }, { acceptedRisks: ["short-clock", "squatters"] });
    expect(await done(alice, "list")).to.match(/\n3 +tic-tac-toe/);
    await writeFile(file, JSON.stringify({ ...known, version: 2 }));
    expect(await alice.fail(2, "list")).to.equal(
      `${file}: it has version 2 of the list of matches, and this program reads version 1: use the newer program that wrote it`,
    );
  });

  it("can be listed together with other nodes, even if one of them is down", async () => {
    const other = await meagreNode(world.port);
    const gone = await meagreNode(world.port);
    await gone.close();
    const terminal = await world.terminal(["--account", String(BOB)], { DUELLO_RPC_URL: `${gone.url}, ${node.url}` });
    expect(await done(terminal, "list")).to.equal("There are none.");
    expect(await done(terminal, "--rpc", gone.url, "--rpc", other.url, "purse")).to.equal("0 COIN\n0 FIGHT");
    await other.close();
  });
});
