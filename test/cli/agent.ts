import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { expect } from "chai";
import {
  AbiCoder,
  concat,
  ContractFactory,
  getAddress,
  JsonRpcProvider,
  parseEther,
  Wallet,
  ZeroAddress,
  ZeroHash,
  type Contract,
} from "ethers";
import { UnblockingWallet } from "../../cli/agent/unblocking-wallet.js";
import { Client } from "../../sdk/player/client.js";
import { demoOf, modeHash } from "../../sdk/games/modes.js";
import { games, stockGame } from "../../sdk/games/index.js";
import { History } from "../../sdk/chain/history.js";
import { firstTurn, turnOf, type SecretStore } from "../../sdk/games/moves.js";
import type { Hex } from "../../sdk/protocol/hex.js";
import { offerHash, type Offer } from "../../sdk/protocol/offer.js";
import { replay } from "../../sdk/verify/replay.js";
import { decodeCommitment } from "../../sdk/protocol/commit-reveal.js";
import type { Secret } from "../../sdk/protocol/commitment.js";
import { commitWithKey, randomKey, walletSecretStore } from "../../sdk/player/secrets.js";
import { Seat, Status } from "../../sdk/protocol/status.js";
import { takeTurn } from "../../sdk/player/turn.js";
import {
  Fighters__factory,
  GuardianCards__factory,
  IGame__factory,
  Pistols__factory,
} from "../../typechain-types/index.js";
import { openSteppedAgent, type SteppedAgent, type Wanted } from "../support/agent-support.js";
import { proxyTo, type Intercept } from "../support/play-proxy.js";
import { urlOf } from "../../scripts/local-chain.js";
import { startWorld, type PlayWorld } from "../support/play-support.js";
import { cardContract } from "../../sdk/games/guardians/cards.js";

const AGENT = 6;
const ALICE = 4;
const OLGA = 7;
const STAKING = { tokens: { FIGHT: { stake: "50", total: "60" } } };

type Waiting = Record<"hash" | "from" | "to", string>;

describe("npm run agent", () => {
  let world: PlayWorld;
  let alice: Client;
  let history: History;
  let snapshot: unknown;
  const opened: SteppedAgent[] = [];

  before(async () => {
    world = await startWorld();
  });
  after(() => world.close());

  beforeEach(async () => {
    snapshot = await world.provider.send("evm_snapshot", []);
    alice = await Client.connect(world.addresses, games, await world.provider.getSigner(ALICE));
    history = new History(world.provider, world.addresses);
  });
  afterEach(async () => {
    for (const each of opened.splice(0)) each.close();
    await world.provider.send("evm_revert", [snapshot]);
  });

  async function agentWith(wanted: Partial<Wanted> = {}): Promise<SteppedAgent> {
    const started = await openSteppedAgent(world, { account: AGENT, ...wanted });
    opened.push(started);
    return started;
  }

  /** Creates a challenge by Alice: by default rock-paper-scissors to anyone, without stakes. */
  async function challenge(
    change: Partial<Record<"game" | "mode" | "opponent" | "token", string>> & {
      /** Hash of an unpublished mode, to use in place of a published mode's name. */
      modeHash?: Hex;
      stake?: bigint;
      deposit?: bigint;
      by?: Client;
    } = {},
  ) {
    const { game: name = "mini-games", mode = "rock-paper-scissors", stake = 0n, opponent, by = alice } = change;
    const { deposit = stake } = change;
    const { moves, modes, contract } = stockGame(name);
    const game = world.addresses[contract];
    const { token = world.addresses.FightToken } = change;
    const turn = {
      seat: Seat.One,
      player: by.address,
      game,
      mode: change.modeHash ?? modeHash(modes[mode].content),
      history,
    };
    const secretStore = await walletSecretStore(by, game);
    const data = await moves.create(await moves.suggest(turn, secretStore), turn, secretStore);
    if (deposit > 0n) await by.deposit(token, deposit);
    const terms = { game, mode: turn.mode, token, stake1: stake, stake2: stake, clock: 86_400n, rated: true };
    return by.create({ terms, opponent, data }, { acceptedRisks: change.modeHash ? ["foreign-mode"] : [] });
  }

  /** Lets Alice join a match of one move. */
  async function take(offer: Offer): Promise<void> {
    const { terms } = offer;
    const record = await history.match(offer.matchId);
    const turn = turnOf(record, Seat.Two, alice.address, history);
    const secretStore = await walletSecretStore(alice, terms.game);
    await alice.join(offer, await stockGame("mini-games").moves.join(1, turn, secretStore));
  }

  /** Takes a turn with a suggested move. */
  async function act(client: Client, matchId: bigint): Promise<void> {
    const { game } = (await history.match(matchId)).terms;
    const { moves } = games.find(({ contract }) => world.addresses[contract] === game)!;
    const secretStore = await walletSecretStore(client, game);
    await takeTurn(client, history, matchId, { secretStore, move: (turn) => moves.suggest(turn, secretStore) });
  }

  const statusOf = (matchId: bigint) => world.arena.statusOf(matchId);

  /** Returns whether the agent may read the chain rarely while a node announces events. */
  const rests = ({ agent }: SteppedAgent) => (agent as unknown as { isQuiet: boolean }).isQuiet;

  for (const game of games) {
    it(`takes an offer to anyone and plays it to its end: ${game.name}`, async () => {
      const mode = Object.keys(game.modes).find((name) => game.modes[name] === demoOf(game))!;
      const opponent = await agentWith();
      const { matchId } = await challenge({ game: game.name, mode });
      while ((await statusOf(matchId)) <= Status.AllJoined) {
        await opponent.settle();
        const { turn } = await world.arena.matchOf(matchId);
        if (turn === Seat.One) await act(alice, matchId);
      }
      await opponent.settle(1);
      expect((await replay(history, games, matchId)).mismatch).to.equal(undefined);
      const told = opponent.reports().filter(({ match }) => match === String(matchId));
      expect(told.slice(0, 3).map(({ event }) => event)).to.deep.equal(["taken", "funded", "joined"]);
      expect(told.at(-1)).to.include({ event: "settled" });
      expect(told.at(-1)!.text).to.match(/\nIt is over: .* Paid: .*\n(I win|I lose|A draw)\.$/);
      if (game.bot?.resultText)
        expect(told.at(-1)!.text).to.match(/^Rock-paper-scissors: AI played \w+, player played \w+\. /);
    });
  }

  it("is woken by a node that announces events over a WebSocket", async () => {
    const rpc = `${urlOf(world.port)},${urlOf(world.port).replace("http", "ws")}`;
    const { agent, reports } = await agentWith({ rpc, pollingInterval: 3_600_000 });
    const stop = new AbortController();
    const over = agent.run(stop.signal);
    try {
      await pause(300);
      await challenge();
      while (reports().every(({ event }) => event !== "taken")) await pause(10);
    } finally {
      stop.abort();
      await over;
    }
  });

  it("hardly reads the chain while a node announces events and there are none", async () => {
    let blocks = 0;
    const line = await proxyTo(world.port, (method) => {
      if (method === "eth_getBlockByNumber") blocks++;
    });
    const rpc = `${line.url},${urlOf(world.port).replace("http", "ws")}`;
    const { agent, reports } = await agentWith({ rpc, pollingInterval: 1 });
    const stop = new AbortController();
    const over = agent.run(stop.signal);
    const hasTaken = () => reports().some(({ event }) => event === "taken");
    try {
      await challenge();
      while (!hasTaken()) await pause(10);
      // The agent polls until its transaction is in a block.
      await pause(500);
      blocks = 0;
      await world.pass(1);
      await pause(1_000);
      expect(blocks).to.be.lessThan(50);
    } finally {
      stop.abort();
      await over;
      await line.close();
    }
  });

  it("looks for work once per new block", async () => {
    let looks = 0;
    const line = await proxyTo(world.port, (method) => {
      if (method === "eth_getTransactionCount") looks++;
    });
    const opponent = await agentWith({ rpc: line.url });
    const looksOfTicks = [0, 0];
    let start: number;
    do {
      await world.pass(1);
      start = performance.now();
      for (const tick of [0, 1]) {
        looks = 0;
        await opponent.agent.tick();
        looksOfTicks[tick] = looks;
      }
      // Without a new block the agent looks again after a second, so a tick that took longer is measured again.
      // oxlint-disable-next-line eslint-js/no-restricted-syntax -- no limit
    } while (performance.now() - start >= 1000);
    await line.close();
    expect(looksOfTicks[0]).to.be.greaterThan(0);
    expect(looksOfTicks[1]).to.equal(0);
  });

  /** Registers a mode with two cards per side. */
  async function pairs(): Promise<Hex> {
    const { Guardians } = world.addresses;
    return (await alice.registerMode(Guardians, alice.encodeMode(Guardians, { teamSize: 2 }))).mode;
  }

  for (const [title, modes] of [
    ["any, without stakes", async () => "any"],
    ["a list of hashes", async () => [await pairs()]],
  ] as const) {
    it(`plays a custom mode to its end if its policy lists ${title}`, async () => {
      const mode = await pairs();
      const opponent = await agentWith({ policy: { games: { guardians: await modes() } } });
      const { matchId } = await challenge({ game: "guardians", modeHash: mode, opponent: opponent.address });
      await opponent.settle();
      expect(await statusOf(matchId)).to.equal(Status.AllJoined);
      await act(alice, matchId);
      await opponent.settle(1);
      expect((await replay(history, games, matchId)).mismatch).to.equal(undefined);
      expect(await statusOf(matchId)).to.be.oneOf([Status.P1Win, Status.P2Win, Status.Draw]);
    });
  }

  it("ignores an unpublished mode unless its policy names it", async () => {
    const opponent = await agentWith({ policy: { games: { guardians: "all" } } });
    const { matchId } = await challenge({ game: "guardians", modeHash: await pairs(), opponent: opponent.address });
    await opponent.settle();
    expect(await statusOf(matchId)).to.equal(Status.P1Deposited);
    const { event, text } = opponent.reports().at(-1)!;
    expect(event).to.equal("left");
    expect(text).to.include("its mode is not a published one of guardians, nor one that I am told to play");
  });

  it("plays modes with bought armies, and modes in which the challenger wins ties, if nothing is staked", async () => {
    const opponent = await agentWith();
    for (const [game, mode] of [
      ["warmancer", "classic-bought"],
      ["mini-games", "dice-challenger"],
      ["mini-games", "strategy-challenger"],
    ]) {
      const { matchId } = await challenge({ game, mode, opponent: opponent.address });
      await opponent.settle();
      expect(await statusOf(matchId), mode).to.equal(Status.AllJoined);
    }
  });

  it("joins a firm offer to itself in one step", async () => {
    const opponent = await agentWith();
    const { matchId } = await challenge({ opponent: opponent.address });
    await opponent.settle(1);
    expect(await statusOf(matchId)).to.equal(Status.AllJoined);
    expect(opponent.reports().map(({ event }) => event)).to.deep.equal(["taken", "joined"]);
  });

  it("reveals no answer before the commitment that it answers is final", async () => {
    // Another chain id makes blocks reorganisable; the test sets the final one. Only player 1's commitments depend on
    // the id.
    const elsewhere = 31_338;
    const deployment = { chainId: elsewhere, block: 0, addresses: world.addresses };
    await writeFile(join(world.folder, `${elsewhere}.json`), JSON.stringify(deployment));
    let final = await world.provider.getBlockNumber();
    const line = await proxyTo(world.port, async (method, params) => {
      if (method === "eth_chainId") return `0x${elsewhere.toString(16)}`;
      if (method !== "eth_getBlockByNumber" || params[0] !== "finalized") return undefined;
      return world.provider.send(method, [`0x${final.toString(16)}`, false]);
    });
    const opponent = await agentWith({ rpc: line.url });
    const { matchId } = await challenge({ game: "warmancer", mode: "quick" });
    const settled = async () => {
      await opponent.settle();
      return [await statusOf(matchId), (await world.arena.matchOf(matchId)).turn];
    };
    expect(await settled()).to.deep.equal([Status.AllDeposited, Seat.None]);
    final = await world.provider.getBlockNumber();
    expect(await settled()).to.deep.equal([Status.AllJoined, Seat.One]);
    await act(alice, matchId);
    expect(await settled()).to.deep.equal([Status.AllJoined, Seat.Two]);
    final = await world.provider.getBlockNumber();
    expect(await settled()).to.deep.equal([Status.AllJoined, Seat.One]);
    expect(opponent.reports().map(({ event }) => event)).to.deep.equal(["taken", "funded", "joined", "acted"]);
    await line.close();
  });

  /** Returns a node with another chain id, whose blocks can be undone; the test sets the final one. */
  async function elsewhere(chainId: number, final: () => number | "latest", deaf: (data: string) => boolean) {
    const deployment = { chainId, block: 0, addresses: world.addresses };
    await writeFile(join(world.folder, `${chainId}.json`), JSON.stringify(deployment));
    return proxyTo(world.port, async (method, params) => {
      if (method === "eth_chainId") return `0x${chainId.toString(16)}`;
      if (method === "eth_sendTransaction" && deaf((params[0] as { data: string }).data)) throw new Error("deaf");
      if (method !== "eth_getBlockByNumber" || params[0] !== "finalized") return undefined;
      const block = final();
      return world.provider.send(method, [block === "latest" ? block : `0x${block.toString(16)}`, false]);
    });
  }
  const isJoin = (data: string) => data.startsWith(world.arena.interface.getFunction("join").selector);

  it("answers no offer in one step before the offer is final, and reports that it waits", async () => {
    let final = await world.provider.getBlockNumber();
    const line = await elsewhere(
      31_341,
      () => final,
      () => false,
    );
    const opponent = await agentWith({ rpc: line.url });
    const { matchId } = await challenge({ opponent: opponent.address });
    await opponent.settle();
    expect(await statusOf(matchId)).to.equal(Status.P1Deposited);
    expect(opponent.reports().at(-1)!.why).to.equal("it is not final yet, and I answer in one step");
    final = await world.provider.getBlockNumber();
    await opponent.settle();
    expect(await statusOf(matchId)).to.equal(Status.AllJoined);
    expect(opponent.reports().map(({ event }) => event)).to.deep.equal(["left", "taken", "joined"]);
    await line.close();
  });

  it("takes its seat with the stored answer, even if other duels of its player end meanwhile", async () => {
    let isDeaf = true;
    const sent: string[] = [];
    const line = await elsewhere(
      31_342,
      () => "latest",
      (data) => isJoin(data) && (sent.push(data), isDeaf),
    );
    const home = join(world.folder, "kept");
    const victim = await agentWith({ rpc: line.url, home });
    const { matchId } = await challenge({ game: "pistols", mode: "default" });
    await victim.settle();
    expect([await statusOf(matchId), sent.length > 0]).to.deep.equal([Status.AllDeposited, true]);
    victim.close();
    // Meanwhile the agent fights other duels, which change its archetype or strength.
    const bob = await Client.connect(world.addresses, games, await world.provider.getSigner(AGENT));
    const duelists = Pistols__factory.connect(world.addresses.Pistols, world.provider);
    const standing = async () => String((await duelists.duelistOf(bob.address)).standing);
    for (const before = await standing(); (await standing()) === before;) {
      const duel = await challenge({ game: "pistols", mode: "default", opponent: bob.address });
      const record = await history.match(duel.matchId);
      const turn = turnOf(record, Seat.Two, bob.address, history);
      const secretStore = await walletSecretStore(bob, duel.terms.game);
      const { moves } = stockGame("pistols");
      await bob.join(duel, await moves.join(1, turn, secretStore));
      while ((await statusOf(duel.matchId)) <= Status.AllJoined) {
        await act((await world.arena.matchOf(duel.matchId)).turn === Seat.One ? alice : bob, duel.matchId);
      }
    }
    isDeaf = false;
    const again = await agentWith({ rpc: line.url, home });
    await again.settle();
    expect(await statusOf(matchId)).to.equal(Status.AllJoined);
    const [first, last] = [sent[0], sent.at(-1)!].map((data) => {
      return world.arena.interface.parseTransaction({ data })!.args.data as string;
    });
    expect(last).to.equal(first);
    await line.close();
  });

  it("ignores an offer if a reorganisation undid a commitment that the agent had answered publicly", async () => {
    const line = await elsewhere(31_343, () => "latest", isJoin);
    const home = join(world.folder, "exposed");
    const before: unknown = await world.provider.send("evm_snapshot", []);
    const victim = await agentWith({ rpc: line.url, home });
    await challenge();
    await victim.settle();
    victim.close();
    await world.provider.send("evm_revert", [before]);
    const { matchId } = await challenge();
    const again = await agentWith({ rpc: line.url, home });
    await again.settle();
    expect(await statusOf(matchId)).to.equal(Status.P1Deposited);
    const { event, why } = again.reports().at(-1)!;
    expect(event).to.equal("left");
    expect(why).to.match(
      /^You have shown \w+ in match 2, to a commitment that was undone since\. Whoever made this one may /,
    );
    await line.close();
  });

  it("answers the offer that replaced an answered offer in a reorganisation if the agent's stake is already paid", async () => {
    let isDeaf = true;
    const line = await elsewhere(
      31_344,
      () => "latest",
      (data) => isJoin(data) && isDeaf,
    );
    const home = join(world.folder, "seated");
    const before: unknown = await world.provider.send("evm_snapshot", []);
    const victim = await agentWith({ rpc: line.url, home });
    await challenge();
    await victim.settle();
    victim.close();
    await world.provider.send("evm_revert", [before]);
    const offer = await challenge();
    const { matchId } = offer;
    const bob = await Client.connect(world.addresses, games, await world.provider.getSigner(AGENT));
    await bob.fund(offer);
    await world.pass(1);
    isDeaf = false;
    const again = await agentWith({ rpc: line.url, home });
    await again.settle();
    expect(await statusOf(matchId)).to.equal(Status.AllJoined);
    const told = again.reports().find(({ event }) => event === "exposed")!;
    expect([told.match, told.text]).to.match(
      /^2,You have shown \w+ in match 2, to a commitment that was undone since\. Whoever made this one may/,
    );
    await line.close();
  });

  it("reveals its commitment only after the opponent's answer is final", async () => {
    // Another chain id, as above. On the real chain the revealed data matches no commitment, so the test only reads it.
    const elsewhere = 31_339;
    const deployment = { chainId: elsewhere, block: 0, addresses: world.addresses };
    await writeFile(join(world.folder, `${elsewhere}.json`), JSON.stringify(deployment));
    let final = await world.provider.getBlockNumber();
    const selector = world.arena.interface.getFunction("act").selector;
    let reveals = 0;
    const line = await proxyTo(world.port, async (method, params) => {
      if (method === "eth_chainId") return `0x${elsewhere.toString(16)}`;
      if (method === "eth_getBlockByNumber" && params[0] === "finalized")
        return world.provider.send(method, [`0x${final.toString(16)}`, false]);
      if (method !== "eth_estimateGas" || !(params[0] as { data: string }).data.startsWith(selector)) return undefined;
      reveals++;
      throw new Error("looked at");
    });
    const there = new JsonRpcProvider(line.url, elsewhere, { cacheTimeout: -1, staticNetwork: true });
    try {
      const bob = await Client.connect(world.addresses, games, await there.getSigner(AGENT));
      const own = await challenge({ by: bob, opponent: alice.address });
      const opponent = await agentWith({ rpc: line.url });
      await take(own);
      await opponent.settle();
      expect([reveals, opponent.reports()]).to.deep.equal([0, []]);
      final = await world.provider.getBlockNumber();
      await opponent.settle();
      expect(reveals).to.equal(1);
    } finally {
      there.destroy();
      await line.close();
    }
  });

  it("does not query an ignored challenge again until the challenge changes", async () => {
    const purseOf = world.arena.interface.getFunction("purseOf").selector;
    let looks = 0;
    const line = await proxyTo(world.port, (method, params) => {
      if (method === "eth_call" && (params[0] as { data: string }).data.startsWith(purseOf)) looks++;
    });
    const opponent = await agentWith({ rpc: line.url, policy: { games: { pistols: "all" } } });
    const token = world.addresses.FightToken;
    const offer = await challenge({ stake: 1n, deposit: 0n });
    await opponent.settle();
    expect([looks, opponent.reports().map(({ event }) => event)]).to.deep.equal([1, ["left"]]);
    await world.pass(60);
    await opponent.settle();
    expect(looks).to.equal(1);
    await alice.deposit(token, 1n);
    await alice.fund(offer);
    await opponent.settle();
    expect(looks).to.equal(2);
    await line.close();
  });

  it("accepts a challenge on a later try after a failure", async () => {
    let failures = 1;
    const line = await proxyTo(world.port, (method) => {
      if (method === "eth_sendTransaction" && failures-- > 0) throw new Error("out of order");
    });
    const opponent = await agentWith({ rpc: line.url });
    const { matchId } = await challenge();
    await opponent.settle();
    expect([await statusOf(matchId), opponent.reports().at(-1)!.text]).to.deep.equal([
      Status.P1Deposited,
      "out of order",
    ]);
    await pause(2_100); // by then, failed steps are retried
    await opponent.settle();
    expect(await statusOf(matchId)).to.equal(Status.AllJoined);
    expect(opponent.reports().map(({ event }) => event)).to.deep.equal([
      "taken",
      "trouble",
      "funded",
      "well",
      "joined",
    ]);
    await line.close();
  });

  it("reports once why it accepted or ignored each challenge, and does not report challenges to others", async () => {
    const opponent = await agentWith({ policy: { games: { pistols: "all" } } });
    await challenge();
    await challenge({ game: "pistols", mode: "default" });
    await challenge({ opponent: world.addresses.Arena });
    await opponent.settle();
    await opponent.settle(3);
    const told = opponent.reports().filter(({ event }) => event === "taken" || event === "left");
    expect(told.map(({ match, why }) => [match, why])).to.deep.equal([
      ["2", "I do not play mini-games in the mode rock-paper-scissors"],
      ["3", "it costs nothing"],
    ]);
    expect(told[0].text).to.match(
      /^0x\w+ challenges anyone at mini-games rock-paper-scissors, for nothing\.\nI leave it: /,
    );
  });

  it("declines only offers to the agent that it ignores permanently, and only if its policy allows that", async () => {
    const policy = { games: { pistols: "all" }, decline: true };
    const { address } = await world.provider.getSigner(AGENT);
    const [forIt, forAnyone] = [await challenge({ opponent: address }), await challenge()];
    const opponent = await agentWith({ policy });
    await opponent.settle();
    expect([await statusOf(forIt.matchId), await statusOf(forAnyone.matchId)]).to.deep.equal([
      Status.P1Canceled,
      Status.P1Deposited,
    ]);
    const { declinedBy } = await history.match(forIt.matchId);
    expect(declinedBy).to.equal(opponent.address);
    expect(opponent.reports().map(({ event, match }) => [event, match])).to.deep.equal([
      ["left", String(forAnyone.matchId)],
      ["left", String(forIt.matchId)],
      ["declined", String(forIt.matchId)],
    ]);
  });

  it("declines an offer on a later try after a failure", async () => {
    let failures = 1;
    const line = await proxyTo(world.port, (method) => {
      if (method === "eth_sendTransaction" && failures-- > 0) throw new Error("out of order");
    });
    const opponent = await agentWith({ rpc: line.url, policy: { games: { pistols: "all" }, decline: true } });
    const { matchId } = await challenge({ opponent: opponent.address });
    await opponent.settle();
    expect(await statusOf(matchId)).to.equal(Status.P1Deposited);
    await pause(2_100); // by then, failed steps are retried
    await opponent.settle();
    expect(await statusOf(matchId)).to.equal(Status.P1Canceled);
    expect(opponent.reports().map(({ event }) => event)).to.deep.equal(["left", "trouble", "declined", "well"]);
    await line.close();
  });

  it("accepts an unfunded offer as soon as its challenger has paid the stake", async () => {
    const opponent = await agentWith({ policy: STAKING });
    const token = world.addresses.FightToken;
    const bob = await Client.connect(world.addresses, games, await world.provider.getSigner(AGENT));
    await bob.deposit(token, parseEther("20"));
    const offer = await challenge({ stake: parseEther("20"), deposit: 0n });
    const { matchId } = offer;
    await opponent.settle();
    expect(await statusOf(matchId)).to.equal(Status.Created);
    await alice.deposit(token, parseEther("20"));
    await alice.fund(offer);
    await opponent.settle();
    expect(await statusOf(matchId)).to.equal(Status.AllJoined);
  });

  it("stakes no more than its policy allows, and accepts a second match only when the first is over", async () => {
    const opponent = await agentWith({ policy: STAKING });
    const token = world.addresses.FightToken;
    const bob = await Client.connect(world.addresses, games, await world.provider.getSigner(AGENT));
    await bob.deposit(token, parseEther("200"));
    const first = await challenge({ stake: parseEther("40") });
    const second = await challenge({ stake: parseEther("30") });
    await opponent.settle();
    expect([await statusOf(first.matchId), await statusOf(second.matchId)]).to.deep.equal([
      Status.AllJoined,
      Status.P1Deposited,
    ]);
    const left = opponent.reports().filter(({ event }) => event === "left");
    expect(left.map(({ why }) => why)).to.deep.equal(["70 FIGHT would be staked, more than my 60 FIGHT in all"]);
    await act(alice, first.matchId);
    await opponent.settle();
    expect(await statusOf(second.matchId)).to.equal(Status.AllJoined);
  });

  /** Leaves the agent seven fighters, enough for one team but not for two. */
  async function giveGoldenAway(): Promise<void> {
    const signer = await world.provider.getSigner(AGENT);
    const fighters = Fighters__factory.connect(world.addresses.Fighters, signer);
    const receiver = (await world.provider.getSigner(9)).address;
    const owned = await stockGame("auto-battler").characters!.ownedBy(
      signer.address,
      new History(world.provider, world.addresses),
    );
    for (const id of owned.slice(7)) await (await fighters.transferFrom(signer.address, receiver, id)).wait();
  }

  it("commits a team to one match at a time", async () => {
    let isDeaf = true;
    const line = await proxyTo(world.port, (method, params) => {
      if (isDeaf && method === "eth_call" && params[1] === "pending") throw new Error("come back later");
    });
    await giveGoldenAway();
    const opponent = await agentWith({ rpc: line.url });
    const bob = await Client.connect(world.addresses, games, await world.provider.getSigner(5));
    const matches = [
      await challenge({ game: "auto-battler", mode: "default" }),
      await challenge({ game: "auto-battler", mode: "default", by: bob }),
    ];
    const statuses = () => Promise.all(matches.map(({ matchId }) => statusOf(matchId)));
    const why = () => opponent.reports().findLast(({ match }) => match === "3")!.why;
    await opponent.settle();
    expect([await statuses(), why()]).to.deep.equal([
      [Status.AllDeposited, Status.P1Deposited],
      "my team is promised to match 2",
    ]);
    isDeaf = false;
    await pause(2_100); // by then, failed steps are retried
    await opponent.settle();
    expect(await statuses()).to.deep.equal([Status.AllJoined, Status.P1Deposited]);
    expect(why()).to.match(/^Only 2 fighters .* may fight now/);
    await line.close();
  });

  it("reveals the commitments of its own offers with its player's key", async () => {
    const opponent = await agentWith();
    const bob = await Client.connect(world.addresses, games, await world.provider.getSigner(AGENT));
    const offer = await challenge({ by: bob, opponent: alice.address });
    await opponent.settle();
    expect(await statusOf(offer.matchId)).to.equal(Status.P1Deposited);
    await take(offer);
    await opponent.settle();
    expect(await statusOf(offer.matchId)).to.be.greaterThan(Status.AllJoined);
  });

  it("times out an opponent who vanishes, takes the pot, and withdraws what its purse does not need", async () => {
    const policy = { tokens: { FIGHT: { stake: "50", total: "60", keep: "20" } } };
    const opponent = await agentWith({ policy });
    const token = world.addresses.FightToken;
    const bob = await Client.connect(world.addresses, games, await world.provider.getSigner(AGENT));
    await bob.deposit(token, parseEther("20"));
    const { matchId } = await challenge({ stake: parseEther("20") });
    await opponent.settle();
    const { deadline } = await world.arena.matchOf(matchId);
    await world.until(deadline - 3600n);
    await opponent.settle(2);
    expect(await statusOf(matchId)).to.equal(Status.AllJoined);
    await world.until(deadline + 1n);
    await opponent.settle();
    expect(await statusOf(matchId)).to.equal(Status.P2WinInactive);
    expect(await world.arena.purseOf(opponent.address, token)).to.equal(parseEther("20"));
    expect(opponent.reports().map(({ event }) => event)).to.include.members(["timeout", "settled", "withdrawn"]);
  });

  describe("given an unreliable chain", () => {
    /**
     * Creates a match in which it is the agent's turn as soon as Alice has revealed: most duels continue with blades.
     */
    async function owing(opponent: SteppedAgent): Promise<bigint> {
      const { matchId } = await challenge({ game: "tic-tac-toe", mode: "default" });
      await opponent.settle();
      await act(alice, matchId);
      return matchId;
    }
    const owes = async (matchId: bigint) => (await world.arena.matchOf(matchId)).turn === Seat.Two;

    async function expectCareful(opponent: SteppedAgent, owed: bigint, trouble: RegExp): Promise<bigint> {
      const { matchId } = await challenge();
      await opponent.settle();
      expect(
        opponent
          .reports()
          .filter(({ event }) => event === "trouble")
          .map(({ text }) => text)
          .join("\n"),
      ).to.match(trouble);
      expect(opponent.reports().findLast(({ event }) => event === "left")!.why).to.match(trouble);
      expect(await statusOf(matchId)).to.equal(Status.P1Deposited);
      expect(await owes(owed)).to.equal(false);
      expect(opponent.agent.problems().join("\n")).to.match(trouble);
      return matchId;
    }

    it("accepts no new match while the node lags, reports the lag, and continues its matches", async () => {
      let late = 0;
      const { timestamp } = (await world.provider.getBlock("latest"))!;
      const clock = () => timestamp + late;
      const opponent = await agentWith({ policy: { node: { lag: "2m" } }, clock });
      const owed = await owing(opponent);
      late = 86_400;
      const matchId = await expectCareful(opponent, owed, /the node lags, its latest block \d+ is from 20/);
      late = 0;
      await opponent.settle();
      expect(await statusOf(matchId)).to.equal(Status.AllJoined);
      expect(opponent.reports().map(({ text }) => text)).to.include("All is well again.");
      expect(opponent.agent.problems()).to.deep.equal([]);
      expect(opponent.agent.problems(performance.now() + 301_000).join()).to.match(
        /^I have not looked at the chain for 30\d s\.$/,
      );
    });

    it("accepts no new match if it lacks coin for gas, reports the lack, and continues its matches", async () => {
      const opponent = await agentWith();
      const owed = await owing(opponent);
      const coin = await world.provider.getBalance(opponent.address);
      const { maxFeePerGas } = await world.provider.getFeeData();
      const setCoin = async (amount: bigint) =>
        world.provider.send("hardhat_setBalance", [opponent.address, `0x${amount.toString(16)}`]);
      await setCoin(maxFeePerGas! * 1_000_000n);
      const matchId = await expectCareful(opponent, owed, /my wallet holds 0\.\d+ coin, too little for gas/);
      await setCoin(coin);
      await opponent.settle();
      expect(await statusOf(matchId)).to.equal(Status.AllJoined);
    });

    it("accepts no new match after a reorganisation, reports the reorganisation, and drops the data of undone blocks", async () => {
      const opponent = await agentWith();
      const before: unknown = await world.provider.send("evm_snapshot", []);
      const gone = await challenge();
      await opponent.settle();
      expect(await statusOf(gone.matchId)).to.equal(Status.AllJoined);
      await world.provider.send("evm_revert", [before]);
      const { matchId } = await challenge({ game: "tic-tac-toe", mode: "default" });
      expect(matchId).to.equal(gone.matchId);
      await opponent.agent.tick();
      expect(opponent.reports().at(-1)!.why).to.match(/^blocks were reorganised, I wait until block \d+ is final/);
      await opponent.settle();
      expect(await statusOf(matchId)).to.equal(Status.AllJoined);
      expect(await owes(matchId)).to.equal(false);
    });

    it("replaces a transaction that is not mined, and reports the replacement", async () => {
      const opponent = await agentWith({ policy: { node: { stuck: "2s" } } });
      const owed = await owing(opponent);
      await world.provider.send("evm_setAutomine", [false]);
      try {
        // The agent's turn is sent, but not mined.
        await opponent.agent.tick();
        expect(rests(opponent)).to.equal(false);
        const [{ hash: first }] = await waiting(opponent.address);
        await pause(2_100);
        await opponent.agent.tick();
        expect(rests(opponent)).to.equal(false);
        expect(opponent.reports().findLast(({ event }) => event === "trouble")!.text).to.match(
          /does not get into a block/,
        );
        const [{ to, hash: second }, ...more] = await waiting(opponent.address);
        expect([to, second === first, more.length]).to.deep.equal([opponent.address.toLowerCase(), false, 0]);
      } finally {
        await world.provider.send("evm_setAutomine", [true]);
        await world.provider.send("evm_mine", []);
      }
      await opponent.settle();
      expect(await owes(owed)).to.equal(false);
      expect(rests(opponent)).to.equal(true);
    });

    it("takes several challenges in one block, and stakes no more than its purse holds meanwhile", async () => {
      const opponent = await agentWith({ policy: STAKING });
      const bob = await Client.connect(world.addresses, games, await world.provider.getSigner(AGENT));
      await bob.deposit(world.addresses.FightToken, parseEther("40"));
      const offers = [
        await challenge({ stake: parseEther("30") }),
        await challenge({ stake: parseEther("30") }),
        await challenge(),
      ];
      await world.provider.send("evm_setAutomine", [false]);
      try {
        const tick = opponent.agent.tick();
        while ((await waiting(opponent.address)).length < 2) await pause(20);
        await world.provider.send("evm_mine", []);
        await tick;
      } finally {
        await world.provider.send("evm_setAutomine", [true]);
      }
      expect(await Promise.all(offers.map(({ matchId }) => statusOf(matchId)))).to.deep.equal([
        Status.AllDeposited,
        Status.P1Deposited,
        Status.AllDeposited,
      ]);
      const left = opponent.reports().filter(({ event }) => event === "left");
      expect(left.map(({ why }) => why)).to.deep.equal(["my purse holds 10 FIGHT only"]);
    });

    it("gives transactions that it sends at once different nonces", async () => {
      const wallet = Wallet.createRandom(world.provider);
      const owner = await world.provider.getSigner(0);
      await owner.sendTransaction({ to: wallet.address, value: parseEther("1") });
      const sender = new UnblockingWallet(wallet, 60_000);
      const sent = await Promise.all([1, 2, 3].map(() => sender.sendTransaction({ to: owner.address, value: 1n })));
      expect(sent.map(({ nonce }) => nonce)).to.deep.equal([0, 1, 2]);
    });

    async function waiting(from: string): Promise<Waiting[]> {
      const block = (await world.provider.send("eth_getBlockByNumber", ["pending", true])) as {
        transactions: Waiting[];
      };
      return block.transactions.filter((tx) => tx.from === from.toLowerCase());
    }
  });

  it("resumes after a kill before or after each send, and never reveals two moves for one turn", async () => {
    let countdown = Infinity;
    const sent: string[] = [];
    let isAfter = false;
    const line = await proxyTo(world.port, async (method, params) => {
      if (method !== "eth_sendTransaction") return undefined;
      sent.push((params[0] as { data: string }).data);
      if (--countdown > 0) return undefined;
      if (isAfter) await world.provider.send(method, params);
      throw new Error("killed");
    });
    const home = join(world.folder, "killed");
    const start = () => agentWith({ rpc: line.url, home });
    try {
      const { matchId } = await challenge({ game: "pistols", mode: "default" });
      const bob = await Client.connect(world.addresses, games, await world.provider.getSigner(AGENT));
      const own = await challenge({ by: bob, opponent: alice.address });
      await take(own);
      let kills = 0;
      const isOver = async (of: bigint) => (await statusOf(of)) > Status.AllJoined;
      for (let rounds = 0; !((await isOver(matchId)) && (await isOver(own.matchId))) && rounds < 20; rounds++) {
        for (isAfter of [false, true]) {
          countdown = 1;
          const before = sent.length;
          const victim = await start();
          // Once it is killed, it does nothing more.
          for (let ticks = 0; ticks < 4 && sent.length === before; ticks++) {
            if (!(await victim.agent.tick())) await world.pass(1);
          }
          victim.close();
          kills += sent.length - before;
          const troubles = victim.reports().filter(({ event }) => event === "trouble");
          const told = new Set(troubles.map(({ text }) => text));
          expect([...told]).to.deep.equal(sent.length > before ? ["killed"] : []);
        }
        const { turn, status } = await world.arena.matchOf(matchId);
        if (status === Status.AllJoined && turn === Seat.One) await act(alice, matchId);
      }
      countdown = Infinity;
      expect(kills).to.be.greaterThan(5);
      expect([await isOver(matchId), await isOver(own.matchId)]).to.deep.equal([true, true]);
      const { joinData, actions } = await history.match(matchId);
      const calls = sent.map((data) => world.arena.interface.parseTransaction({ data })!);
      expect(new Set(calls.map(({ name }) => name))).to.have.all.keys("fund", "join", "act");
      const shown = (name: string, field: string) =>
        new Set(calls.filter((call) => call.name === name).map(({ args }) => args[field]));
      expect([...shown("join", "data")]).to.deep.equal([joinData]);
      const data = (await history.match(own.matchId)).actions;
      const own2 = actions.filter(({ seat }) => seat === Seat.Two);
      expect([...shown("act", "data")]).to.have.members([...data, ...own2].map(({ data }) => data));
    } finally {
      await line.close();
    }
  });

  describe("under known attacks", () => {
    const MALLORY = 8;
    let mallory: Client;
    let bob: Client;

    beforeEach(async () => {
      mallory = await Client.connect(world.addresses, games, await world.provider.getSigner(MALLORY));
      bob = await Client.connect(world.addresses, games, await world.provider.getSigner(AGENT));
    });

    const lines: Awaited<ReturnType<typeof proxyTo>>[] = [];
    afterEach(() => Promise.all(lines.splice(0).map((line) => line.close())));

    /** Returns a proxy of the node that answers some calls itself. */
    async function lineTo(intercept: Intercept) {
      const line = await proxyTo(world.port, intercept);
      lines.push(line);
      return line;
    }

    /** Deploys a test contract as Mallory. */
    async function deploy(name: string): Promise<Contract> {
      const artifact = await readFile(`artifacts/test/mocks/${name}.sol/${name}.json`, "utf8");
      const contract = await ContractFactory.fromSolidity(artifact, mallory.signer).deploy();
      return (await contract.waitForDeployment()) as Contract;
    }

    it("ignores a contract that poses as a token and seats the agent: plays nothing, counts nothing and logs nothing", async () => {
      const opponent = await agentWith({ policy: { ...STAKING, matches: 1 } });
      const forger = await deploy("TollToken");
      const token = await forger.getAddress();
      await forger.getFunction("mint")(mallory.address, 100n);
      const seated: Offer[] = [];
      for (const [game, mode] of [
        ["mini-games", "rock-paper-scissors"],
        ["tic-tac-toe", "default"],
      ]) {
        const offer = await challenge({ game, mode, token, stake: 1n, by: mallory });
        await forger.getFunction("mint")(world.addresses.Arena, 1n);
        const order = AbiCoder.defaultAbiCoder().encode(["uint256", "bytes32"], [offer.matchId, offerHash(offer)]);
        await forger.getFunction("forge")(world.addresses.Arena, opponent.address, 1n, order);
        seated.push(offer);
      }
      await opponent.settle();
      const open = await challenge({ by: mallory });
      await opponent.settle();
      // Another agent is restarted, without files.
      await (await agentWith({ policy: STAKING })).settle();
      expect(await statusOf(open.matchId)).to.equal(Status.AllJoined);
      for (const { matchId } of seated) {
        const { player2, status } = await world.arena.matchOf(matchId);
        expect([player2, status]).to.deep.equal([opponent.address, Status.AllDeposited]);
      }
      await world.pass(86_401);
      for (const { matchId } of seated) await mallory.timeout(matchId);
      await opponent.settle();
      const about = new Set(opponent.reports().map(({ match }) => match));
      expect([...about]).to.deep.equal([String(open.matchId)]);
    });

    it("finds its seats, even those taken by FIGHT transfers, after a disk was lost between staking and answering", async () => {
      const matches: bigint[] = [];
      await bob.deposit(world.addresses.FightToken, 10n);
      for (const step of ["fund", "send"]) {
        const offer = await challenge({ stake: 10n });
        matches.push(offer.matchId);
        if (step === "fund") await bob.fund(offer);
        else await bob.transferFund(offer, 10n);
      }
      const opponent = await agentWith();
      await opponent.settle();
      expect(await Promise.all(matches.map(statusOf))).to.deep.equal([Status.AllJoined, Status.AllJoined]);
    });

    it("does not count offers to it that lapse as its matches", async () => {
      const opponent = await agentWith({ policy: { games: { pistols: "all" } } });
      const { matchId } = await challenge({ opponent: opponent.address });
      await opponent.settle();
      await world.pass(86_401);
      await alice.timeout(matchId);
      await opponent.settle();
      expect(opponent.reports().map(({ event }) => event)).to.deep.equal(["left"]);
    });

    it("is not delayed by ended matches of foreign games with garbage logs and a token with 255 decimals", async () => {
      const [game, token] = [1, 2].map((n) => getAddress(`0x${String(n).padStart(40, "a")}`));
      const { topicHash } = IGame__factory.createInterface().getEvent("Log");
      // Logs five bytes for the match, and answers (2, 0, 0, 0) to every call.
      const code = `0x6004357f${topicHash.slice(2)}60056000a2600260005260806000f3`;
      await world.provider.send("hardhat_setCode", [game, code]);
      await world.provider.send("hardhat_setCode", [token, "0x60ff60005260206000f3"]);
      const opponent = await agentWith();
      const terms = { game, token, mode: ZeroHash, stake1: 0n, stake2: 0n, clock: 3600n, rated: false };
      const foreign: bigint[] = [];
      for (let n = 0; n < 12; n++) {
        const { matchId } = await bob.create({ terms, data: "0x" }, { acceptedRisks: ["foreign-game"] });
        foreign.push(matchId);
      }
      await opponent.agent.tick();
      for (const matchId of foreign) await bob.cancel(matchId);
      const { matchId } = await challenge();
      await opponent.agent.tick();
      expect(await statusOf(matchId)).to.equal(Status.AllDeposited);
      const told = opponent.reports().map(({ event, text }) => `${event} ${text.split("\n").at(-1)}`);
      expect(told.slice(0, 12)).to.deep.equal(foreign.map(() => "settled Nobody plays it."));
      expect(told.slice(12).map((line) => line.split(" ")[0])).to.deep.equal(["taken", "funded"]);
    });

    it("continues its other matches if one match cannot be read, and reports that match once", async () => {
      const matches = [
        await challenge({ by: bob, opponent: alice.address }),
        await challenge({ by: bob, opponent: alice.address }),
      ];
      for (const each of matches) await take(each);
      const [bad, good] = matches.map(({ matchId }) => matchId);
      const hidden = world.arena.interface.encodeFunctionData("matchOf", [bad]);
      let isHidden = true;
      const line = await lineTo((method, params) => {
        const isAsked = method === "eth_call" && (params[0] as { data: string }).data === hidden;
        if (isHidden && isAsked) throw new Error("a broken match");
      });
      const opponent = await agentWith({ rpc: line.url });
      await opponent.agent.tick();
      expect([await statusOf(bad), (await statusOf(good)) > Status.AllJoined]).to.deep.equal([Status.AllJoined, true]);
      const { matchId } = await challenge();
      await opponent.settle();
      // The agent does not know its stake in that match.
      expect(await statusOf(matchId)).to.equal(Status.P1Deposited);
      const told = opponent.reports().filter(({ match }) => match === String(bad));
      expect(told.map(({ event, text }) => [event, text])).to.deep.equal([["trouble", "a broken match"]]);
      isHidden = false;
      await pause(8_100); // by then, steps that failed two or three times are retried
      await opponent.settle();
      expect([(await statusOf(bad)) > Status.AllJoined, await statusOf(matchId)]).to.deep.equal([
        true,
        Status.AllJoined,
      ]);
    });

    it("withdraws its other tokens if one token blocks withdrawals, and reports that token once", async () => {
      const odd = await deploy("OddToken");
      const token = await odd.getAddress();
      const [REVERTS, amount] = [5n, 100n];
      await odd.getFunction("mint")(bob.address, amount);
      await bob.deposit(token, amount);
      await bob.deposit(world.addresses.FightToken, amount);
      await odd.getFunction("adopt")(REVERTS);
      const limits = { stake: "0", total: "0", keep: "0" };
      const opponent = await agentWith({ policy: { tokens: { [token]: limits, FIGHT: limits } } });
      await opponent.settle();
      expect(await world.arena.purseOf(bob.address, world.addresses.FightToken)).to.equal(0n);
      const told = opponent.reports();
      expect(told.map(({ event }) => event)).to.deep.equal(["trouble", "withdrawn"]);
      expect(told[0].text).to.match(/^0\.0000000000000001 ODD \(0x\w+\) cannot be paid out: /);
    });

    it("judges a flood of challenges by one read of its purse, logs ten of them per round, and takes one behind them at once", async () => {
      const purseOf = world.arena.interface.getFunction("purseOf").selector;
      let looks = 0;
      const line = await lineTo((method, params) => {
        if (method === "eth_call" && (params[0] as { data: string }).data.startsWith(purseOf)) looks++;
      });
      const FLOOD = 25;
      await mallory.deposit(world.addresses.FightToken, BigInt(FLOOD));
      const flood: bigint[] = [];
      for (let n = 0; n < FLOOD; n++) {
        flood.push((await challenge({ stake: 1n, deposit: 0n, by: mallory })).matchId);
      }
      const free = await challenge();
      const opponent = await agentWith({ rpc: line.url, policy: STAKING });
      const left = () => opponent.reports().filter(({ event }) => event === "left");
      const seen: [number, number, bigint][] = [];
      for (let rounds = 0; rounds < 4; rounds++) {
        looks = 0;
        await world.pass(1);
        await opponent.agent.tick();
        seen.push([looks, left().length, await statusOf(free.matchId)]);
      }
      expect(seen).to.deep.equal([
        [1, 10, Status.AllDeposited],
        // In this round the agent acts in its match.
        [0, 10, Status.AllJoined],
        [1, 20, Status.AllJoined],
        [1, FLOOD, Status.AllJoined],
      ]);
      expect(left().map(({ match }) => match)).to.deep.equal(flood.map(String));
    });

    describe("given unbeatable teams", () => {
      /** Gives Mallory a team of the strongest characters. */
      async function arm(): Promise<void> {
        const owner = await world.provider.getSigner(0);
        const fighters = Fighters__factory.connect(world.addresses.Fighters, owner);
        const cards = GuardianCards__factory.connect(world.addresses.GuardianCards, owner);
        const max = { power: 60_000, defense: 60_000, hp: 60_000, speed: 999, critical: 999, luck: 999, cardType: 0 };
        for (let n = 0; n < 5; n++) {
          await fighters.mint(mallory.address, 1, [3, 3, 3, 3, 3, 3], false);
          await cards.mint(mallory.address, max);
        }
      }

      for (const game of ["auto-battler", "guardians"]) {
        it(`stakes nothing against them unless its policy allows it, but plays without a stake: ${game}`, async () => {
          await arm();
          await bob.deposit(world.addresses.FightToken, parseEther("300"));
          const opponent = await agentWith({ policy: STAKING });
          const staked = await challenge({ game, mode: "default", stake: parseEther("10"), by: mallory });
          const free = await challenge({ game, mode: "default", by: mallory });
          await opponent.settle();
          const told = opponent.reports().filter(({ event }) => event === "left" || event === "taken");
          expect(told.map(({ why }) => why)).to.deep.equal([
            "my chance is 0 %, below the 45 % that I want",
            "it costs nothing",
          ]);
          expect([await statusOf(staked.matchId), await statusOf(free.matchId)]).to.deep.equal([
            Status.P1Deposited,
            Status.AllJoined,
          ]);
          await act(mallory, free.matchId);
          await world.pass(86_401);
          const daring = await agentWith({ policy: { ...STAKING, chance: 0 } });
          await daring.settle();
          expect(await statusOf(staked.matchId)).to.equal(Status.AllJoined);
        });
      }

      it("stakes nothing against an opponent without a visible team", async () => {
        await bob.deposit(world.addresses.FightToken, parseEther("300"));
        const { matchId } = await challenge({ game: "guardians", mode: "default", stake: 1n, by: mallory });
        const cards = GuardianCards__factory.connect(world.addresses.GuardianCards, mallory.signer);
        for (const id of await history.ownedBy(mallory.address, cardContract)) {
          await cards.transferFrom(mallory.address, world.addresses.Arena, id);
        }
        const opponent = await agentWith({ policy: STAKING });
        await opponent.settle();
        expect(await statusOf(matchId)).to.equal(Status.P1Deposited);
        expect(opponent.reports().at(-1)!.why).to.equal("my chance is 0 %, below the 45 % that I want");
      });
    });
  });

  describe("as a watchtower", () => {
    /** Creates a duel that Alice has abandoned; Olga has its secrets and may act for her. */
    async function left(game: string, mode: string, feeBps = 25) {
      const bob = await agentWith();
      const { matchId } = await challenge({ game, mode });
      await bob.settle();
      const home = await world.terminal(["--account", String(ALICE)]);
      const file = join(home.home, "secrets.json");
      await writeFile(file, await home.run("secrets", "export", String(matchId)));
      const olga = await agentWith({ account: OLGA, plays: false, secrets: [file], policy: { watchtower: feeBps } });
      await alice.allow(olga.address, (await alice.now()) + 30 * 86_400);
      return { bob, olga, matchId, file };
    }

    for (const game of games.filter(({ moves }) => moves.pendingCommitments)) {
      it(`reveals for a player only when less than the policy's part of the clock is left: ${game.name}`, async () => {
        const mode = Object.keys(game.modes).find((name) => game.modes[name] === demoOf(game))!;
        const { olga, matchId } = await left(game.name, mode);
        const actions = async () => (await history.match(matchId)).actions.map(({ seat }) => seat);
        await world.pass(64_000);
        await olga.settle(3);
        expect(await actions()).to.deep.equal([]);
        // No event announces that the clock gets short.
        expect(rests(olga)).to.equal(false);
        await world.pass(1_000);
        await olga.settle(3);
        expect(await actions()).to.deep.equal([Seat.One]);
        const isOver = (await statusOf(matchId)) > Status.AllJoined;
        expect(olga.reports().map(({ event }) => event)).to.deep.equal(isOver ? ["acted", "settled"] : ["acted"]);
        expect(olga.reports()[0].text).to.equal(`I reveal for ${alice.address}.`);
      });
    }

    it("ignores a match that has a watched commitment only in the opponent's note, and a match that the player ends", async () => {
      const { olga, matchId } = await left("pistols", "default");
      const bob = await Client.connect(world.addresses, games, await world.provider.getSigner(5));
      const { contract, moves, modes } = stockGame("pistols");
      const game = world.addresses[contract];
      const { commitment } = decodeCommitment((await history.match(matchId)).createData);
      const [by, key] = [bob.committer(game), randomKey()];
      // A secret store whose notes are Alice's commitments; it keeps its secrets in memory.
      const secrets = new Map<string, Secret>();
      const secretStore: SecretStore = {
        commit: async (move) => {
          const { committed, secret } = await commitWithKey(by, move, key);
          const { commitment: own } = decodeCommitment(committed);
          secrets.set(own, secret);
          return concat([own, commitment]);
        },
        reveal: async (committed) => secrets.get(decodeCommitment(committed).commitment)!,
      };
      const terms = { game, mode: modeHash(modes.default.content), token: ZeroAddress, stake1: 0n, stake2: 0n };
      const seat = firstTurn(terms, bob.address, history);
      let copied: bigint;
      // Duels are offered until Alice must answer a second time.
      do {
        const data = await moves.create(10, seat, secretStore);
        const offer = await bob.create({
          terms: { ...terms, clock: 86_400n, rated: false },
          opponent: alice.address,
          data,
        });
        copied = offer.matchId;
        const turn = { ...seat, seat: Seat.Two, player: alice.address, record: await history.match(copied) };
        await alice.join(offer, await moves.join(10, turn, secretStore));
        await takeTurn(bob, history, copied, {
          secretStore,
          move: (open) => moves.suggest(open, secretStore),
        });
      } while ((await statusOf(copied)) !== Status.AllJoined);
      await world.pass(70_000);
      await olga.settle();
      expect((await world.arena.matchOf(copied)).turn).to.equal(Seat.Two);
      await world.pass(20_000);
      await bob.timeout(copied);
      await olga.settle();
      const told = new Set(olga.reports().map(({ match }) => match));
      expect([...told]).to.deep.equal([String(matchId)]);
    });

    it("continues a long match, even after restarts, and reveals the commitments that it made for its player", async () => {
      const { bob, olga, matchId, file } = await left("warmancer", "quick", 100);
      let watchtower = olga;
      for (let turns = 0; turns < 400 && (await statusOf(matchId)) <= Status.AllJoined; turns++) {
        const { turn } = await world.arena.matchOf(matchId);
        if (turn === Seat.One) {
          await world.pass(60);
          const { home } = watchtower;
          watchtower = await agentWith({
            account: OLGA,
            plays: false,
            secrets: [file],
            policy: { watchtower: 100 },
            home,
          });
          await watchtower.settle(2);
        } else await bob.settle(3);
      }
      expect(await statusOf(matchId)).to.be.oneOf([Status.P1Win, Status.P2Win, Status.Draw]);
      const { actions } = await history.match(matchId);
      expect(actions.filter(({ seat }) => seat === Seat.One)).to.have.length.greaterThan(1);
      expect((await replay(history, games, matchId)).mismatch).to.equal(undefined);
    });

    it("acts only with its player's approval, and in no other matches of its player", async () => {
      const { olga, matchId } = await left("mini-games", "rock-paper-scissors");
      const other = await challenge();
      await opened[0].settle();
      await alice.allow(olga.address, 0);
      await world.pass(80_000);
      await olga.settle(3);
      expect(await statusOf(matchId)).to.equal(Status.AllJoined);
      await alice.allow(olga.address, (await alice.now()) + 86_400);
      await olga.settle(3);
      expect([await statusOf(matchId), await statusOf(other.matchId)]).to.satisfy(
        ([mine, others]: bigint[]) => mine > Status.AllJoined && others === Status.AllJoined,
      );
      expect(olga.reports().map(({ event }) => event)).to.deep.equal(["acted", "settled"]);
    });
  });
});
