import { expect } from "chai";
import { type ContractTransactionReceipt } from "ethers";
import {
  COIN,
  deployed,
  ethers,
  HOUR,
  inPassing,
  loadFixture,
  networkHelpers,
  Seat,
  Status,
  step,
  type Terms,
  termsFor,
  time,
  UNIT,
  type World,
  offerHashOf,
  wordsOf,
  type Player,
} from "../support/index.js";
import { MONTH, attacked } from "../support/attacked.js";
import { inPlay, offered, pursesOf, taken, type Match } from "../support/matches.js";
import { Random } from "../../sdk/laws/random.js";
import { FREE, differences, stateOf } from "../support/refusals.js";
import { fundOrder } from "../support/orders.js";

const SEED = "400 steps";
const STEPS = 400;

/** The allowed transitions. A firm offer can be joined in one step, and a game can end on joining. */
const EDGES: Record<string, bigint[]> = {
  0: [1n, 8n],
  1: [2n, 3n, 8n, 6n, 7n, 11n],
  2: [3n, 9n, 6n, 7n, 11n],
  3: [6n, 7n, 9n, 10n, 11n],
};

interface Seen {
  player1: string;
  player2: string;
  status: bigint;
  turn: bigint;
  deadline: bigint;
  termsId: bigint;
  firm: boolean;
  fields: string;
}

/** Four players, matches of the scripted game for coin and FIGHT, and their state after the last step. */
class Walk {
  private readonly random = new Random(SEED);
  readonly terms = new Map<bigint, Terms>();
  readonly counts = { done: 0, refused: 0, edges: new Set<string>() };
  matches: Seen[] = [];
  purses = new Map<string, bigint>();

  constructor(
    readonly world: World,
    readonly players: Player[],
    readonly tokens: string[],
  ) {}

  /** Reads all matches and purses. An unchanged match keeps its object. */
  async look(): Promise<void> {
    const { arena } = this.world;
    const count = await arena.matchCount();
    const known = this.matches;
    this.matches = [];
    for (let id = 1n; id <= count; id++) {
      const fields = (await wordsOf(arena, "matchOf", id)).join();
      const old = known[Number(id) - 1];
      if (old?.fields === fields) {
        this.matches.push(old);
        continue;
      }
      const { player1, player2, status, turn, deadline, termsId, firm } = await arena.matchOf(id);
      this.matches.push({ player1, player2, status, turn, deadline, termsId, firm, fields });
      if (!this.terms.has(termsId)) this.terms.set(termsId, await arena.termsOf(termsId));
    }
    this.purses = new Map();
    for (const token of this.tokens) {
      for (const player of [...this.players, this.world.treasury]) {
        const [purse] = await wordsOf(arena, "purseOf", player.address, token);
        this.purses.set(`${player.address} ${token}`, purse);
      }
    }
  }

  termsOf(match: Seen): Terms {
    return this.terms.get(match.termsId)!;
  }

  /** Returns the arena's balance, the amount that it reports as owed, and the sum of matches and purses. */
  async sums(token: string): Promise<[bigint, bigint, bigint]> {
    const { arena, fight } = this.world;
    const held = token === COIN ? await ethers.provider.getBalance(arena) : await fight.balanceOf(arena);
    let owed = 0n;
    for (const [key, amount] of this.purses) if (key.endsWith(token)) owed += amount;
    for (const match of this.matches) {
      const terms = this.termsOf(match);
      if (terms.token !== token) continue;
      if (match.status >= 1n && match.status <= 3n) owed += terms.stake1;
      if (match.status === 2n || match.status === 3n) owed += terms.stake2;
    }
    return [held, await arena.totalOf(token), owed];
  }

  /**
   * Draws one call, sensible or not.
   * @returns its sender, the match that it names (zero if none), and a function that sends it.
   */
  async next(): Promise<{ sender: Player; id: bigint; send: () => Promise<{ wait(): Promise<unknown> }> }> {
    const { arena, fight } = this.world;
    const sensible = this.random.below(6) !== 0;
    const open = this.matches.flatMap(({ status }, i) => (status < 4n ? [i + 1] : []));
    const anyId = 1 + this.random.below(this.matches.length + 1);
    const id = BigInt(sensible && open.length !== 0 ? this.random.pick(open) : anyId);
    const match = this.matches[Number(id) - 1];
    const other = (address?: string) => this.random.pick(this.players.filter((player) => player.address !== address));
    const named = (address: string) =>
      this.players.find((player) => player.address === address) ?? other(match?.player1);
    const anyStep = () => step(...([0, 0, 0].map(() => BigInt(this.random.below(3))) as [bigint, bigint, bigint]));
    const goodStep = (goOn: number) =>
      this.random.below(6) < goOn
        ? step(BigInt(1 + this.random.below(2)))
        : step(Seat.None, BigInt(this.random.below(3)), BigInt(this.random.below(3)));
    const hash = match === undefined || this.random.below(20) === 0 ? ethers.ZeroHash : await offerHashOf(arena, id);
    const value = match !== undefined && this.termsOf(match).token === COIN ? BigInt(this.random.below(60)) : 0n;

    const calls = {
      fund: (p: Player) => () => arena.connect(p).fund(id, hash, { value, ...FREE }),
      join: (p: Player) => () =>
        arena.connect(p).join(id, hash, sensible ? goodStep(5) : anyStep(), { value, ...FREE }),
      act: (p: Player) => () => arena.connect(p).act(id, sensible ? goodStep(2) : anyStep(), FREE),
      cancel: (p: Player) => () => arena.connect(p).cancel(id, FREE),
      decline: (p: Player) => () => arena.connect(p).decline(id, FREE),
      resign: (p: Player) => () => arena.connect(p).resign(id, FREE),
      timeout: (p: Player) => () => arena.connect(p).timeout(id, FREE),
    };
    const call = (name: keyof typeof calls, sender: Player) => ({ sender, id, send: calls[name](sender) });
    const dieRoll = this.random.below(20);
    if (match === undefined || (dieRoll < 3 && open.length < 12)) {
      const sender = this.random.pick(this.players);
      const terms = await termsFor(this.world, {
        token: this.random.pick(this.tokens),
        stake1: BigInt(this.random.below(40)),
        stake2: BigInt(this.random.below(40)),
        clock: this.random.pick([60n, HOUR, 4n * HOUR]),
        rated: this.random.below(2) === 0,
      });
      const firmUntil = this.random.below(2) * ((await time.latest()) + 1 + this.random.below(4000));
      const opponent = this.random.below(2) === 0 ? COIN : this.random.pick(this.players).address;
      const coins = terms.token === COIN ? BigInt(this.random.below(60)) : 0n;
      return {
        sender,
        id: BigInt(this.matches.length + 1),
        send: () => arena.connect(sender).create(terms, opponent, firmUntil, "0x", { value: coins, ...FREE }),
      };
    }
    if (dieRoll < 5) {
      const sender = this.random.pick(this.players);
      const receiver = this.random.pick(this.players);
      const token = this.random.pick(this.tokens);
      const amount = BigInt(this.random.below(50));
      if (this.random.below(3) === 0)
        return { sender, id: 0n, send: () => arena.connect(sender).withdraw(token, amount, receiver, FREE) };
      const coins = token === COIN ? amount + BigInt(this.random.below(4) === 0 ? 1 : 0) : 0n;
      return {
        sender,
        id: 0n,
        send: () => arena.connect(sender).deposit(token, amount, receiver, { value: coins, ...FREE }),
      };
    }
    if (dieRoll < 6) {
      const sender = this.random.pick(this.players);
      const token = fight.connect(sender);
      const data = fundOrder(id, hash);
      const amount = BigInt(this.random.below(60));
      return {
        sender,
        id,
        send: () =>
          token["transferAndCall(address,uint256,bytes)"](arena, amount, this.random.below(2) ? data : "0x", FREE),
      };
    }
    if (!sensible)
      return call(this.random.pick(Object.keys(calls) as (keyof typeof calls)[]), this.random.pick(this.players));
    if (BigInt(await time.latest()) > match.deadline && match.status < 4n)
      return call("timeout", this.random.pick(this.players));
    if (match.status === Status.Created)
      return call(this.random.below(5) === 0 ? "cancel" : "fund", named(match.player1));
    if (match.status === Status.P1Deposited) {
      if (this.random.below(6) === 0) return call("cancel", named(match.player1));
      if (this.random.below(12) === 0) return call("decline", named(match.player2));
      return call(match.firm && this.random.below(2) === 0 ? "join" : "fund", named(match.player2));
    }
    if (match.status === Status.AllDeposited) return call("join", named(match.player2));
    if (match.status === Status.AllJoined) {
      if (this.random.below(6) === 0) return call("resign", named(this.random.pick([match.player1, match.player2])));
      return call("act", named(match.turn === Seat.One ? match.player1 : match.player2));
    }
    return call(this.random.pick(["act", "timeout"] as const), this.random.pick(this.players));
  }

  /** Takes one step and checks every property that a step could break. */
  async go(): Promise<void> {
    if (this.random.below(10) === 0) await time.increase(this.random.pick([30, 61, 600, 3700, 16_000]));
    const before = { matches: this.matches, purses: this.purses };
    const state = await stateOf(this.world);
    const { sender, id, send } = await this.next();
    await time.setNextBlockTimestamp((await time.latest()) + 1);
    const sent = await send().catch((error: unknown) => {
      if ((error as { data?: string }).data === undefined) throw error;
      return undefined;
    });
    if (sent === undefined) {
      this.counts.refused++;
      expect(differences(state, await stateOf(this.world)), "a refused call changed something").to.deep.equal([]);
      return;
    }
    this.counts.done++;
    await this.look();
    for (const token of this.tokens) {
      const [held, total, owed] = await this.sums(token);
      expect([total, owed], "held = total = purses + stakes").to.deep.equal([held, held]);
    }
    for (const [key, amount] of before.purses) {
      if (!key.startsWith(sender.address))
        expect(this.purses.get(key)! >= amount, "another's purse was lowered").to.equal(true);
    }
    for (const [i, old] of before.matches.entries()) {
      if (this.matches[i] !== old) this.checkMatch(old, this.matches[i], BigInt(i + 1) === id);
    }
    for (const match of this.matches.slice(before.matches.length)) {
      this.checkMatch(match, match, true);
      expect(match.status <= 1n && match.player1 === sender.address).to.equal(true);
    }
    const { logs } = (await sent.wait()) as ContractTransactionReceipt;
    for (const log of logs) {
      const event = this.world.arena.interface.parseLog(log);
      if (event?.name !== "Settled" || event.args.status === Status.P1Canceled) continue;
      const { stake1, stake2 } = this.termsOf(this.matches[Number(event.args.matchId) - 1]);
      const { paid1, paid2, house } = event.args as unknown as Record<"paid1" | "paid2" | "house", bigint>;
      expect(paid1 + paid2 + house, "prizes and fee are the pot").to.equal(stake1 + stake2);
    }
  }

  checkMatch(old: Seen, now: Seen, named: boolean): void {
    if (!named) expect(now.fields, "a match that was not named was touched").to.equal(old.fields);
    expect([now.player1, now.termsId, now.firm]).to.deep.equal([old.player1, old.termsId, old.firm]);
    if (old.player2 !== COIN) expect(now.player2, "a seat changed").to.equal(old.player2);
    expect(now.player1 === now.player2, "one player holds both seats").to.equal(false);
    expect(now.deadline > 0n).to.equal(true);
    expect(now.turn !== Seat.None, "a turn is set in play, and only then").to.equal(now.status === Status.AllJoined);
    if (now.status >= 2n && now.status !== Status.P1Canceled) expect(now.player2).to.not.equal(COIN);
    if (now.status === old.status) return;
    expect(EDGES[String(old.status)] ?? [], `from ${old.status}`).to.include(now.status);
    this.counts.edges.add(`${old.status}-${now.status}`);
  }
}

describe("Arena: security", () => {
  it(`keeps its money, transitions and matches correct through ${STEPS} random steps, then ends every match and pays everything out`, async () => {
    const world = await loadFixture(deployed);
    const { arena, fight, alice, bob, carol, stranger, treasury } = world;
    await networkHelpers.setNextBlockBaseFeePerGas(0);
    await networkHelpers.mine();
    // Few tokens, so that purses are sometimes empty.
    for (const player of [alice, bob, carol]) await arena.connect(player).withdraw(fight, 1000n * UNIT - 100n, player);
    await fight.mint(stranger, 500n);
    await fight.connect(stranger).approve(arena, ethers.MaxUint256);
    const walk = new Walk(world, [alice, bob, carol, stranger], [COIN, await fight.getAddress()]);
    await walk.look();
    for (let i = 0; i < STEPS; i++) await walk.go();
    const { done, refused, edges } = walk.counts;
    expect(done > STEPS / 3 && refused > STEPS / 10, `done ${done}, refused ${refused}`).to.equal(true);
    const never = Object.entries(EDGES).flatMap(([from, tos]) =>
      tos.map((to) => `${from}-${to}`).filter((edge) => !edges.has(edge)),
    );
    // A match that ends on joining is rare.
    expect(never.filter((edge) => !["1-6", "1-7", "1-11", "2-6", "2-7", "2-11"].includes(edge))).to.deep.equal([]);

    await time.increase(MONTH + MONTH);
    for (const [i, { status }] of walk.matches.entries()) {
      if (status > 3n) continue;
      await arena.connect(stranger).timeout(i + 1);
      expect(await arena.statusOf(i + 1)).to.be.oneOf([Status.P1Canceled, Status.P1WinInactive, Status.P2WinInactive]);
    }
    for (const token of walk.tokens) {
      for (const player of walk.players)
        await arena.connect(player).withdraw(token, await arena.purseOf(player, token), player);
      const house = await arena.purseOf(treasury, token);
      expect(house > 0n).to.equal(true);
      expect([
        await arena.totalOf(token),
        token === COIN ? await ethers.provider.getBalance(arena) : await fight.balanceOf(arena),
      ]).to.deep.equal([house, house]);
    }
  });

  it("pays a prize and a fee that add up exactly to the pot, for odd pots, one-unit stakes and various fees (CodeHawks RPS L-02, AI Arena H-05)", async () => {
    const world = await loadFixture(attacked);
    const { arena, alice, fight } = world;
    for (const feeBps of [0n, 1n, 333n, 1999n, 2000n]) {
      await arena.setFeeBps(feeBps);
      for (const [stake1, stake2] of [
        [1n, 0n],
        [0n, 1n],
        [1n, 1n],
        [2n, 3n],
        [7n, 5n],
        [4999n, 1n],
        [10n ** 18n + 1n, 3n],
      ]) {
        for (const [taker, winner] of [
          [Seat.One, Seat.Two],
          [Seat.Two, Seat.Two],
          [Seat.None, Seat.One],
        ]) {
          const before = await pursesOf(world, fight);
          const { id } = await inPlay(world, { feeBps, stake1, stake2 });
          await arena.connect(alice).act(id, step(Seat.None, winner, taker));
          const [one, two, house] = (await pursesOf(world, fight)).map((amount, i) => amount - before[i]);
          expect(one + two + house).to.equal(0n);
          const pot = stake1 + stake2;
          if (taker === Seat.None) expect([one, two, house]).to.deep.equal([0n, 0n, 0n]);
          else expect(house).to.equal((pot * feeBps) / 10_000n);
          if (taker === Seat.One) expect([one, two]).to.deep.equal([stake2 - house, -stake2]);
          if (taker === Seat.Two) expect([one, two]).to.deep.equal([-stake1, stake1 - house]);
        }
      }
    }
  });

  it("never rewards aborting over losing: for money, rating and experience, abort <= lose <= draw <= win", async () => {
    const world = await loadFixture(deployed);
    const { arena, alice, bob, stranger, fight, scripted } = world;
    const start = await networkHelpers.takeSnapshot();
    for (const [player, seat, other] of [
      [alice, Seat.One, Seat.Two],
      [bob, Seat.Two, Seat.One],
    ] as const) {
      const after = async (end: (match: Match) => Promise<unknown>) => {
        await end(await inPlay(world, {}, seat));
        const { rating, experience } = await arena.recordOf(scripted, player);
        const result = [await arena.purseOf(player, fight), rating, experience];
        await start.restore();
        return result;
      };
      const act = (winner: bigint) => (match: Match) => arena.connect(player).act(match.id, step(Seat.None, winner));
      const silent = await after(async ({ id }) => {
        await time.increase(HOUR + 1n);
        await arena.connect(stranger).timeout(id);
      });
      const resigned = await after(({ id }) => arena.connect(player).resign(id));
      const [lost, drawn, won] = [await after(act(other)), await after(act(Seat.None)), await after(act(seat))];
      expect(resigned).to.deep.equal(lost);
      for (const i of [0, 1, 2])
        expect(silent[i] <= lost[i] && lost[i] <= drawn[i] && drawn[i] <= won[i]).to.equal(true);
      expect(silent[2] < lost[2] && lost[0] < drawn[0] && drawn[1] < won[1]).to.equal(true);
    }
  });

  it("allows exactly one of acting and timing out at every second around the deadline", async () => {
    const world = await loadFixture(deployed);
    const { arena, alice, bob, stranger } = world;
    const stages: [() => Promise<Match>, (match: Match) => Promise<unknown>][] = [
      [() => offered(world, { stake1: 1001n * UNIT }), ({ id, hash }) => arena.connect(alice).fund(id, hash, FREE)],
      [() => offered(world), ({ id, hash }) => arena.connect(bob).fund(id, hash, FREE)],
      [
        () => offered(world, { opponent: bob, firmFor: HOUR }),
        ({ id, hash }) => arena.connect(bob).join(id, hash, step(Seat.One), FREE),
      ],
      [() => taken(world), ({ id, hash }) => arena.connect(bob).join(id, hash, step(Seat.One), FREE)],
      [() => inPlay(world), ({ id }) => arena.connect(alice).act(id, step(Seat.Two), FREE)],
      [() => inPlay(world, {}, Seat.Two), ({ id }) => arena.connect(bob).act(id, step(Seat.One), FREE)],
      [() => inPlay(world), ({ id }) => arena.connect(bob).resign(id, FREE)],
    ];
    await networkHelpers.setNextBlockBaseFeePerGas(0);
    for (const [begin, move] of stages) {
      const match = await begin();
      await arena.connect(alice).deposit(world.fight, 50n * UNIT, alice);
      const { deadline } = await arena.matchOf(match.id);
      for (const offset of [-1n, 0n, 1n]) {
        for (const inTime of [true, false]) {
          const works = await inPassing(async () => {
            await time.setNextBlockTimestamp(deadline + offset);
            const sent = inTime ? move(match) : arena.connect(stranger).timeout(match.id, FREE);
            return sent.then(
              () => true,
              () => false,
            );
          });
          expect(works, `${offset} ${inTime}`).to.equal(inTime === offset <= 0n);
        }
      }
    }
  });
});
