import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { expect } from "chai";
import { JsonRpcProvider, parseEther } from "ethers";
import { Client, type Offer } from "../../sdk/client.js";
import { demoOf, games, gameNamed, modeHash } from "../../sdk/games/index.js";
import { History } from "../../sdk/history.js";
import type { Keeper } from "../../sdk/moves.js";
import { replay } from "../../sdk/replay.js";
import { keeperWith, walletKey } from "../../sdk/secrets.js";
import { Seat, Status } from "../../sdk/status.js";
import { takeTurn } from "../../sdk/turn.js";
import { tame, type Tame, type Wanted } from "./agent-support.js";
import { proxyTo } from "./play-proxy.js";
import { startWorld, type PlayWorld } from "./play-support.js";

const AGENT = 6;
const ALICE = 4;
const OLGA = 7;
const STAKING = { tokens: { FIGHT: { stake: "50", total: "60" } } };

type Waiting = Record<"hash" | "from" | "to", string>;

describe("npm run agent", function () {
  this.timeout(120_000);
  let world: PlayWorld;
  let alice: Client;
  let history: History;
  let snapshot: unknown;
  const opened: Tame[] = [];

  before(async () => {
    world = await startWorld();
  });
  after(() => world.close());

  beforeEach(async () => {
    snapshot = await world.provider.send("evm_snapshot", []);
    alice = await Client.connect(world.addresses, await world.provider.getSigner(ALICE));
    history = new History(world.provider, world.addresses);
  });
  afterEach(async () => {
    for (const each of opened.splice(0)) each.close();
    await world.provider.send("evm_revert", [snapshot]);
  });

  async function agentWith(wanted: Partial<Wanted> = {}): Promise<Tame> {
    const started = await tame(world, { account: AGENT, ...wanted });
    opened.push(started);
    return started;
  }

  async function keeperFor(client: Client, game: string): Promise<Keeper> {
    const key = await walletKey(client.signer, client.chainId, world.addresses.Arena);
    return keeperWith(key, client.sealer(game));
  }

  /** A challenge by Alice, at rock-paper-scissors to anyone and for nothing unless it says otherwise. */
  async function challenge(
    change: Partial<Record<"game" | "mode" | "opponent", string>> & {
      stake?: bigint;
      deposit?: bigint;
      by?: Client;
    } = {},
  ) {
    const { game: name = "mini-games", mode = "rock-paper-scissors", stake = 0n, opponent, by = alice } = change;
    const { deposit = stake } = change;
    const { moves, modes, contract } = gameNamed(name);
    const game = world.addresses[contract];
    const token = world.addresses.FightToken;
    const turn = { seat: Seat.One, player: by.address, mode: modeHash(modes[mode].content), history };
    const keeper = await keeperFor(by, game);
    const opening = await moves.create(await moves.read(await moves.suggest(turn, keeper), turn), turn, keeper);
    if (deposit > 0n) await by.deposit(token, deposit);
    const terms = { game, mode: turn.mode, token, stake1: stake, stake2: stake, clock: 86_400n, rated: true };
    return by.create({ terms, opponent, opening });
  }

  /** Alice joins a match of one move. */
  async function take({ matchId, terms }: Pick<Offer, "matchId" | "terms">): Promise<void> {
    const record = await history.match(matchId);
    const turn = { seat: Seat.Two, player: alice.address, mode: terms.mode, record, history };
    const keeper = await keeperFor(alice, terms.game);
    await alice.join(matchId, terms, await gameNamed("mini-games").moves.join("0x01", turn, keeper));
  }

  /** Takes a turn with any move. */
  async function act(client: Client, matchId: bigint): Promise<void> {
    const { game } = (await history.match(matchId)).terms;
    const { moves } = games.find(({ contract }) => world.addresses[contract] === game)!;
    const keeper = await keeperFor(client, game);
    const move = async (turn: Parameters<typeof moves.suggest>[0]) =>
      moves.read(await moves.suggest(turn, keeper), turn, keeper);
    await takeTurn(client, history, matchId, { keeper, move });
  }

  const statusOf = (matchId: bigint) => world.arena.statusOf(matchId);

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
      expect((await replay(history, matchId)).difference).to.equal(undefined);
      const told = opponent.told().filter(({ match }) => match === String(matchId));
      expect(told.slice(0, 3).map(({ event }) => event)).to.deep.equal(["taken", "funded", "joined"]);
      expect(told.at(-1)).to.include({ event: "settled" });
      expect(told.at(-1)!.text).to.match(/\nIt is over: .* Paid: .*\n(I won|I lost|It is a draw)\.$/);
    });
  }

  it("joins a firm offer to itself in one step", async () => {
    const opponent = await agentWith();
    const { matchId } = await challenge({ opponent: opponent.address });
    await opponent.settle(1);
    expect(await statusOf(matchId)).to.equal(Status.AllJoined);
    expect(opponent.told().map(({ event }) => event)).to.deep.equal(["taken", "joined"]);
  });

  it("shows no answer before what it answers is final", async () => {
    // A chain that is not a local one, whose final block is told here; only what player 1 seals depends on that number.
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
    expect(opponent.told().map(({ event }) => event)).to.deep.equal(["taken", "funded", "joined", "acted"]);
    await line.close();
  });

  it("opens nothing before the answer is final", async () => {
    // As above. What it opens fits no seal of the chain behind, so it is only looked at.
    const elsewhere = 31_339;
    const deployment = { chainId: elsewhere, block: 0, addresses: world.addresses };
    await writeFile(join(world.folder, `${elsewhere}.json`), JSON.stringify(deployment));
    let final = await world.provider.getBlockNumber();
    const selector = world.arena.interface.getFunction("act").selector;
    let openings = 0;
    const line = await proxyTo(world.port, async (method, params) => {
      if (method === "eth_chainId") return `0x${elsewhere.toString(16)}`;
      if (method === "eth_getBlockByNumber" && params[0] === "finalized")
        return world.provider.send(method, [`0x${final.toString(16)}`, false]);
      if (method !== "eth_estimateGas" || !(params[0] as { data: string }).data.startsWith(selector)) return undefined;
      openings++;
      throw new Error("looked at");
    });
    const there = new JsonRpcProvider(line.url, elsewhere, { cacheTimeout: -1, staticNetwork: true });
    try {
      const bob = await Client.connect(world.addresses, await there.getSigner(AGENT));
      const own = await challenge({ by: bob, opponent: alice.address });
      const opponent = await agentWith({ rpc: line.url });
      await take(own);
      await opponent.settle();
      expect([openings, opponent.told()]).to.deep.equal([0, []]);
      final = await world.provider.getBlockNumber();
      await opponent.settle();
      expect(openings).to.equal(1);
    } finally {
      there.destroy();
      await line.close();
    }
  });

  it("asks nothing more about a challenge that it has left for good, until something happens to it", async () => {
    const purseOf = world.arena.interface.getFunction("purseOf").selector;
    let looks = 0;
    const line = await proxyTo(world.port, (method, params) => {
      if (method === "eth_call" && (params[0] as { data: string }).data.startsWith(purseOf)) looks++;
    });
    const opponent = await agentWith({ rpc: line.url, policy: { games: { pistols: "all" } } });
    const token = world.addresses.FightToken;
    const { matchId, terms } = await challenge({ stake: 1n, deposit: 0n });
    await opponent.settle();
    expect([looks, opponent.told().map(({ event }) => event)]).to.deep.equal([1, ["left"]]);
    await world.pass(60);
    await opponent.settle();
    expect(looks).to.equal(1);
    await alice.deposit(token, 1n);
    await alice.fund(matchId, terms);
    await opponent.settle();
    expect(looks).to.equal(2);
    await line.close();
  });

  it("takes a challenge after all, if taking it went wrong", async () => {
    let failures = 1;
    const line = await proxyTo(world.port, (method) => {
      if (method === "eth_sendTransaction" && failures-- > 0) throw new Error("out of order");
    });
    const opponent = await agentWith({ rpc: line.url });
    const { matchId } = await challenge();
    await opponent.settle();
    expect([await statusOf(matchId), opponent.told().at(-1)!.text]).to.deep.equal([Status.P1Deposited, "out of order"]);
    await pause(2_100); // what has failed is tried again then
    await opponent.settle();
    expect(await statusOf(matchId)).to.equal(Status.AllJoined);
    expect(opponent.told().map(({ event }) => event)).to.deep.equal(["taken", "trouble", "funded", "well", "joined"]);
    await line.close();
  });

  it("says of every challenge why it took or left it, once, and nothing of what is for others", async () => {
    const opponent = await agentWith({ policy: { games: { pistols: "all" } } });
    await challenge();
    await challenge({ game: "pistols", mode: "default" });
    await challenge({ opponent: world.addresses.Arena });
    await opponent.settle();
    await opponent.settle(3);
    const told = opponent.told().filter(({ event }) => event === "taken" || event === "left");
    expect(told.map(({ match, why }) => [match, why])).to.deep.equal([
      ["2", "I do not play mini-games in the mode rock-paper-scissors"],
      ["3", "it costs nothing"],
    ]);
    expect(told[0].text).to.match(
      /^0x\w+ challenges anyone at mini-games, rock-paper-scissors, for nothing\.\nI leave it: /,
    );
  });

  it("takes an unfunded offer as soon as its challenger has put in its stake", async () => {
    const opponent = await agentWith({ policy: STAKING });
    const token = world.addresses.FightToken;
    const bob = await Client.connect(world.addresses, await world.provider.getSigner(AGENT));
    await bob.deposit(token, parseEther("20"));
    const { matchId, terms } = await challenge({ stake: parseEther("20"), deposit: 0n });
    await opponent.settle();
    expect(await statusOf(matchId)).to.equal(Status.Created);
    await alice.deposit(token, parseEther("20"));
    await alice.fund(matchId, terms);
    await opponent.settle();
    expect(await statusOf(matchId)).to.equal(Status.AllJoined);
  });

  it("stakes what its policy allows, waits with the next, and takes it when the first is over", async () => {
    const opponent = await agentWith({ policy: STAKING });
    const token = world.addresses.FightToken;
    const bob = await Client.connect(world.addresses, await world.provider.getSigner(AGENT));
    await bob.deposit(token, parseEther("200"));
    const first = await challenge({ stake: parseEther("40") });
    const second = await challenge({ stake: parseEther("30") });
    await opponent.settle();
    expect([await statusOf(first.matchId), await statusOf(second.matchId)]).to.deep.equal([
      Status.AllJoined,
      Status.P1Deposited,
    ]);
    const left = opponent.told().filter(({ event }) => event === "left");
    expect(left.map(({ why }) => why)).to.deep.equal(["70 FIGHT would be staked, more than my 60 FIGHT in all"]);
    await act(alice, first.matchId);
    await opponent.settle();
    expect(await statusOf(second.matchId)).to.equal(Status.AllJoined);
  });

  it("promises a team to one match at a time", async () => {
    let isDeaf = true;
    const line = await proxyTo(world.port, (method, params) => {
      if (isDeaf && method === "eth_call" && params[1] === "pending") throw new Error("come back later");
    });
    const opponent = await agentWith({ rpc: line.url });
    const bob = await Client.connect(world.addresses, await world.provider.getSigner(5));
    const matches = [
      await challenge({ game: "auto-battler", mode: "default" }),
      await challenge({ game: "auto-battler", mode: "default", by: bob }),
    ];
    const statuses = () => Promise.all(matches.map(({ matchId }) => statusOf(matchId)));
    const why = () => opponent.told().findLast(({ match }) => match === "3")!.why;
    await opponent.settle();
    expect([await statuses(), why()]).to.deep.equal([
      [Status.AllDeposited, Status.P1Deposited],
      "my team is promised to match 2",
    ]);
    isDeaf = false;
    await pause(2_100); // what has failed is tried again then
    await opponent.settle();
    expect(await statuses()).to.deep.equal([Status.AllJoined, Status.P1Deposited]);
    expect(why()).to.match(/^Only 2 fighters .* may fight now/);
    await line.close();
  });

  it("opens what it has offered itself, as its player's key tells", async () => {
    const opponent = await agentWith();
    const bob = await Client.connect(world.addresses, await world.provider.getSigner(AGENT));
    const { matchId, terms } = await challenge({ by: bob, opponent: alice.address });
    await opponent.settle();
    expect(await statusOf(matchId)).to.equal(Status.P1Deposited);
    await take({ matchId, terms });
    await opponent.settle();
    expect(await statusOf(matchId)).to.be.greaterThan(Status.AllJoined);
  });

  it("times out an opponent who vanishes, takes the pot, and pays out what its purse need not keep", async () => {
    const policy = { tokens: { FIGHT: { stake: "50", total: "60", keep: "20" } } };
    const opponent = await agentWith({ policy });
    const token = world.addresses.FightToken;
    const bob = await Client.connect(world.addresses, await world.provider.getSigner(AGENT));
    await bob.deposit(token, parseEther("20"));
    const { matchId } = await challenge({ stake: parseEther("20") });
    await opponent.settle();
    await world.pass(86_390);
    await opponent.settle(2);
    expect(await statusOf(matchId)).to.equal(Status.AllJoined);
    await world.pass(20);
    await opponent.settle();
    expect(await statusOf(matchId)).to.equal(Status.P2WinInactive);
    expect(await world.arena.purseOf(opponent.address, token)).to.equal(parseEther("20"));
    expect(opponent.told().map(({ event }) => event)).to.include.members(["timeout", "settled", "withdrawn"]);
  });

  describe("with a chain in trouble takes nothing new, says so, and does what it owes:", () => {
    /** A match in which the agent must act as soon as Alice has opened: pistols go on with blades, mostly. */
    async function owing(opponent: Tame): Promise<bigint> {
      const { matchId } = await challenge({ game: "tic-tac-toe", mode: "default" });
      await opponent.settle();
      await act(alice, matchId);
      return matchId;
    }
    const owes = async (matchId: bigint) => (await world.arena.matchOf(matchId)).turn === Seat.Two;

    async function expectCareful(opponent: Tame, owed: bigint, trouble: RegExp): Promise<bigint> {
      const { matchId } = await challenge();
      await opponent.settle();
      expect(
        opponent
          .told()
          .filter(({ event }) => event === "trouble")
          .map(({ text }) => text)
          .join("\n"),
      ).to.match(trouble);
      expect(opponent.told().findLast(({ event }) => event === "left")!.why).to.match(trouble);
      expect(await statusOf(matchId)).to.equal(Status.P1Deposited);
      expect(await owes(owed)).to.equal(false);
      return matchId;
    }

    it("a node that lags", async () => {
      let late = 0;
      const clock = () => Date.now() / 1000 + late;
      const opponent = await agentWith({ policy: { node: { lag: "2m" } }, clock });
      const owed = await owing(opponent);
      late = 600;
      const matchId = await expectCareful(opponent, owed, /the node lags, its latest block \d+ is from 20/);
      late = 0;
      await opponent.settle();
      expect(await statusOf(matchId)).to.equal(Status.AllJoined);
      expect(opponent.told().map(({ text }) => text)).to.include("All is well again.");
    });

    it("no coin for gas", async () => {
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

    it("blocks that are no more, and all that was known from them", async () => {
      const opponent = await agentWith();
      const before: unknown = await world.provider.send("evm_snapshot", []);
      const gone = await challenge();
      await opponent.settle();
      expect(await statusOf(gone.matchId)).to.equal(Status.AllJoined);
      await world.provider.send("evm_revert", [before]);
      const { matchId } = await challenge({ game: "tic-tac-toe", mode: "default" });
      expect(matchId).to.equal(gone.matchId);
      await opponent.agent.tick();
      expect(opponent.told().at(-1)!.why).to.match(/^blocks were reorganised, I wait until block \d+ is final/);
      await opponent.settle();
      expect(await statusOf(matchId)).to.equal(Status.AllJoined);
      expect(await owes(matchId)).to.equal(false);
    });

    it("a transaction that gets into no block: it clears the way", async () => {
      const opponent = await agentWith({ policy: { node: { stuck: "2s" } } });
      const owed = await owing(opponent);
      await world.provider.send("evm_setAutomine", [false]);
      try {
        // Its turn is sent, and waits.
        await opponent.agent.tick();
        const [{ hash: first }] = await waiting(opponent.address);
        await pause(2_100);
        await opponent.agent.tick();
        expect(opponent.told().findLast(({ event }) => event === "trouble")!.text).to.match(
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
    });

    async function waiting(from: string): Promise<Waiting[]> {
      const block = (await world.provider.send("eth_getBlockByNumber", ["pending", true])) as {
        transactions: Waiting[];
      };
      return block.transactions.filter((tx) => tx.from === from.toLowerCase());
    }
  });

  it("goes on where it was, killed before and after each thing it sends, and never shows two moves for one", async () => {
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
      const bob = await Client.connect(world.addresses, await world.provider.getSigner(AGENT));
      const own = await challenge({ by: bob, opponent: alice.address });
      await take(own);
      let kills = 0;
      const isOver = async (of: bigint) => (await statusOf(of)) > Status.AllJoined;
      for (let rounds = 0; !((await isOver(matchId)) && (await isOver(own.matchId))) && rounds < 20; rounds++) {
        for (isAfter of [false, true]) {
          countdown = 1;
          const before = sent.length;
          const victim = await start();
          await victim.settle(4);
          victim.close();
          kills += sent.length - before;
          const troubles = victim.told().filter(({ event }) => event === "trouble");
          const told = new Set(troubles.map(({ text }) => text));
          expect([...told]).to.deep.equal(sent.length > before ? ["killed"] : []);
        }
        const { turn, status } = await world.arena.matchOf(matchId);
        if (status === Status.AllJoined && turn === Seat.One) await act(alice, matchId);
      }
      countdown = Infinity;
      expect(kills).to.be.greaterThan(5);
      expect([await isOver(matchId), await isOver(own.matchId)]).to.deep.equal([true, true]);
      const { answer, actions } = await history.match(matchId);
      const calls = sent.map((data) => world.arena.interface.parseTransaction({ data })!);
      expect(new Set(calls.map(({ name }) => name))).to.have.all.keys("fund", "join", "act");
      const shown = (name: string, field: string) =>
        new Set(calls.filter((call) => call.name === name).map(({ args }) => args[field]));
      expect([...shown("join", "answer")]).to.deep.equal([answer]);
      const opening = (await history.match(own.matchId)).actions;
      const own2 = actions.filter(({ seat }) => seat === Seat.Two);
      expect([...shown("act", "action")]).to.have.members([...opening, ...own2].map(({ action }) => action));
    } finally {
      await line.close();
    }
  });

  describe("as a watchtower", () => {
    /** A duel that Alice has begun and cannot go on with; Olga holds its secrets and may act for her. */
    async function left(game: string, mode: string, share = 25) {
      const bob = await agentWith();
      const { matchId } = await challenge({ game, mode });
      await bob.settle();
      const home = await world.terminal(["--account", String(ALICE)]);
      const file = join(home.home, "secrets.json");
      await writeFile(file, await home.run("secrets", "export", String(matchId)));
      const olga = await agentWith({ account: OLGA, plays: false, secrets: [file], policy: { tower: share } });
      await alice.allow(olga.address, (await alice.now()) + 30 * 86_400);
      return { bob, olga, matchId, file };
    }

    for (const game of games.filter(({ moves }) => moves.sealings)) {
      it(`opens for a player when less than its part of the clock is left, not before: ${game.name}`, async () => {
        const mode = Object.keys(game.modes).find((name) => game.modes[name] === demoOf(game))!;
        const { olga, matchId } = await left(game.name, mode);
        const actions = async () => (await history.match(matchId)).actions.map(({ seat }) => seat);
        await world.pass(64_000);
        await olga.settle(3);
        expect(await actions()).to.deep.equal([]);
        await world.pass(1_000);
        await olga.settle(3);
        expect(await actions()).to.deep.equal([Seat.One]);
        const isOver = (await statusOf(matchId)) > Status.AllJoined;
        expect(olga.told().map(({ event }) => event)).to.deep.equal(isOver ? ["acted", "settled"] : ["acted"]);
        expect(olga.told()[0].text).to.equal(`I open for ${alice.address}.`);
      });
    }

    it("plays a long match on, and opens what it has sealed for its player, also when started anew", async () => {
      const { bob, olga, matchId, file } = await left("warmancer", "quick", 100);
      let tower = olga;
      for (let turns = 0; turns < 400 && (await statusOf(matchId)) <= Status.AllJoined; turns++) {
        const { turn } = await world.arena.matchOf(matchId);
        if (turn === Seat.One) {
          await world.pass(60);
          const { home } = tower;
          tower = await agentWith({ account: OLGA, plays: false, secrets: [file], policy: { tower: 100 }, home });
          await tower.settle(2);
        } else await bob.settle(3);
      }
      expect(await statusOf(matchId)).to.be.oneOf([Status.P1Win, Status.P2Win, Status.Draw]);
      const { actions } = await history.match(matchId);
      expect(actions.filter(({ seat }) => seat === Seat.One)).to.have.length.greaterThan(1);
      expect((await replay(history, matchId)).difference).to.equal(undefined);
    });

    it("does nothing without leave, and nothing in other matches of its player", async () => {
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
      expect(olga.told().map(({ event }) => event)).to.deep.equal(["acted", "settled"]);
    });
  });
});
