import { expect } from "chai";
import { applyResult, NEWCOMER, type PlayerRecord, type Result } from "../../sdk/protocol/ladder.js";
import { at, deployed, loadFixture, now, Seat, Status, step, UNIT, type Player, type World } from "../support/index.js";
import { inPlay, offered, taken, type Match } from "../support/matches.js";
import { otherSeat } from "../support/seats.js";
import { fundOrder } from "../support/orders.js";

const { None, One, Two } = Seat;
const STAKES = { stake1: 10n * UNIT, stake2: 30n * UNIT };
const EVEN = { stake1: 10n * UNIT, stake2: 10n * UNIT };

type End = (world: World, id: bigint) => Promise<unknown>;
type Row = [name: string, turn: bigint, end: End, result1: Result, result2: Result, won1: bigint, won2: bigint];

const acts =
  (winner: bigint, taker: bigint): End =>
  ({ arena, alice }, id) =>
    arena.connect(alice).act(id, step(None, winner, taker));
const resigns =
  (player: "alice" | "bob"): End =>
  ({ arena, ...cast }, id) =>
    arena.connect(cast[player]).resign(id);
const runsOut: End = async ({ arena, stranger }, id) => {
  await at((await arena.matchOf(id)).deadline + 1n);
  return arena.connect(stranger).timeout(id);
};

/** Every kind of end: its effect on each player's record, and its payments of 10 and 30 FIGHT. */
const ENDS: Row[] = [
  ["player 1 wins the pot", One, acts(One, One), "win", "loss", 32n, 0n],
  ["player 2 wins the pot", One, acts(Two, Two), "loss", "win", 0n, 32n],
  ["player 1 wins and player 2 takes the pot", One, acts(One, Two), "win", "loss", 0n, 32n],
  ["player 2 wins and both stakes are returned", One, acts(Two, None), "loss", "win", 10n, 30n],
  ["nobody wins and both stakes are returned", One, acts(None, None), "draw", "draw", 10n, 30n],
  ["nobody wins and player 1 takes the pot", One, acts(None, One), "draw", "draw", 32n, 0n],
  ["player 1 resigns", Two, resigns("alice"), "loss", "win", 0n, 32n],
  ["player 2 resigns", Two, resigns("bob"), "win", "loss", 32n, 0n],
  ["player 1 times out", One, runsOut, "forfeit", "win", 0n, 40n],
  ["player 2 times out", Two, runsOut, "win", "forfeit", 40n, 0n],
];

async function recordOf({ arena, scripted }: World, player: Player): Promise<PlayerRecord> {
  const { rating, experience, wins, losses, draws, forfeits, lastDuel } = await arena.recordOf(scripted, player);
  return { rating, experience, wins, losses, draws, forfeits, lastDuel };
}

async function stakesOf({ arena, fight }: World, player: Player): Promise<bigint[]> {
  const { staked, won } = await arena.stakesOf(player, fight);
  return [staked, won];
}

/** Returns the ratings that the event reports when a match is settled. */
async function settledRatings({ arena }: World, id: bigint): Promise<bigint[]> {
  const [settled] = await arena.queryFilter(arena.filters.Settled(id));
  return [settled.args.rating1, settled.args.rating2];
}

describe("Ladder: matches", () => {
  for (const [name, turn, end, result1, result2, won1, won2] of ENDS) {
    it(`given a rated match, when ${name}, the records and the sums of stakes are updated once`, async () => {
      const world = await loadFixture(deployed);
      const { alice, bob } = world;
      const { id } = await inPlay(world, STAKES, turn);
      await end(world, id);
      const time = await now();
      const [record1, record2] = [result1, result2].map((result) => applyResult(NEWCOMER, 1000n, result, time));
      expect([await recordOf(world, alice), await recordOf(world, bob)]).to.deep.equal([record1, record2]);
      expect(await settledRatings(world, id)).to.deep.equal([record1.rating, record2.rating]);
      expect(await stakesOf(world, alice)).to.deep.equal([10n * UNIT, won1 * UNIT]);
      expect(await stakesOf(world, bob)).to.deep.equal([30n * UNIT, won2 * UNIT]);
    });

    it(`given an unrated match, when ${name}, no record is updated and the event reports ratings of zero`, async () => {
      const world = await loadFixture(deployed);
      const { alice, bob } = world;
      const { id } = await inPlay(world, { ...STAKES, rated: false }, turn);
      await end(world, id);
      for (const player of [alice, bob]) {
        expect(await recordOf(world, player)).to.deep.equal(NEWCOMER);
        expect(await stakesOf(world, player)).to.deep.equal([0n, 0n]);
      }
      expect(await settledRatings(world, id)).to.deep.equal([0n, 0n]);
    });
  }

  it("given a player 2 that never joins, when the match times out, player 2 forfeits", async () => {
    const world = await loadFixture(deployed);
    const { alice, bob } = world;
    const { id } = await taken(world, STAKES);
    await runsOut(world, id);
    const [record, time] = [await recordOf(world, bob), await now()];
    expect(record).to.deep.equal(applyResult(NEWCOMER, 1000n, "forfeit", time));
    expect(await recordOf(world, alice)).to.deep.equal(applyResult(NEWCOMER, 1000n, "win", time));
  });

  describe("given seats taken by ERC-1363 transfers", () => {
    /** A rated match in status 2, in which alice and bob took these seats by a transfer with an order. */
    async function transferred(world: World, seats: bigint[]): Promise<Match> {
      const { arena, fight, alice, bob } = world;
      const match = await offered(world, { ...STAKES, funded: false });
      const order = fundOrder(match.id, match.hash);
      for (const [seat, player] of [alice, bob].entries()) {
        if (!seats.includes(BigInt(seat + 1))) await arena.connect(player).fund(match.id, match.hash);
        else await fight.connect(player)["transferAndCall(address,uint256,bytes)"](arena, 30n * UNIT, order);
      }
      expect((await arena.matchOf(match.id)).byTransfer).to.equal(seats.includes(Two));
      return match;
    }

    it("when player 2 never joins, it loses the pot, but no record is updated because it has not agreed to be rated", async () => {
      const world = await loadFixture(deployed);
      const { arena, fight, alice, bob } = world;
      for (const seats of [[Two], [One, Two]]) {
        const { id } = await transferred(world, seats);
        const purse = await arena.purseOf(alice, fight);
        await runsOut(world, id);
        expect(await arena.statusOf(id)).to.equal(Status.P1WinInactive);
        expect(await arena.purseOf(alice, fight)).to.equal(purse + 40n * UNIT);
        expect([await recordOf(world, alice), await recordOf(world, bob)]).to.deep.equal([NEWCOMER, NEWCOMER]);
        expect(await stakesOf(world, bob)).to.deep.equal([0n, 0n]);
        expect(await settledRatings(world, id)).to.deep.equal([0n, 0n]);
      }
    });

    it("when only player 1 used a transfer and player 2 never joins, the timeout is rated", async () => {
      const world = await loadFixture(deployed);
      const { id } = await transferred(world, [One]);
      await runsOut(world, id);
      expect(await settledRatings(world, id)).to.deep.equal([1020n, 980n]);
    });

    it("when player 2 joins, the match is rated however it ends", async () => {
      for (const end of [runsOut, acts(One, One), resigns("bob")]) {
        const world = await loadFixture(deployed);
        const { id, hash } = await transferred(world, [Two]);
        await world.arena.connect(world.bob).join(id, hash, step(end === runsOut ? Two : One));
        await end(world, id);
        expect(await settledRatings(world, id)).to.deep.equal([1020n, 980n]);
      }
    });
  });

  it("given a rated offer, when it is cancelled or lapses, no record is updated and the event reports ratings of zero", async () => {
    const world = await loadFixture(deployed);
    const { arena, alice } = world;
    const [withdrawn, lapsed] = [await offered(world), await offered(world)];
    await arena.connect(alice).cancel(withdrawn.id);
    await runsOut(world, lapsed.id);
    expect(await recordOf(world, alice)).to.deep.equal(NEWCOMER);
    expect(await stakesOf(world, alice)).to.deep.equal([0n, 0n]);
    for (const { id } of [withdrawn, lapsed]) expect(await settledRatings(world, id)).to.deep.equal([0n, 0n]);
  });

  it("given a series of matches on chain, each match starts from the ratings after the previous match", async () => {
    const world = await loadFixture(deployed);
    const { alice, bob } = world;
    let [record1, record2] = [NEWCOMER, NEWCOMER];
    for (const [, turn, end, result1, result2] of ENDS) {
      const { id } = await inPlay(world, STAKES, turn);
      await end(world, id);
      const ratings = [record1.rating, record2.rating];
      record1 = applyResult(record1, ratings[1], result1, await now());
      record2 = applyResult(record2, ratings[0], result2, await now());
      expect([await recordOf(world, alice), await recordOf(world, bob)]).to.deep.equal([record1, record2]);
    }
  });

  for (const seat of [One, Two]) {
    it(`given even stakes, the player of seat ${seat} is never better off by aborting than by losing, drawing or winning`, async () => {
      const other = otherSeat(seat);
      const ends = [runsOut, acts(other, other), acts(None, None), acts(seat, seat)];
      const after: bigint[][] = [];
      for (const [i, end] of ends.entries()) {
        const world = await loadFixture(deployed);
        const player = seat === One ? world.alice : world.bob;
        const { id } = await inPlay(world, EVEN, i === 0 ? seat : One);
        await end(world, id);
        const { rating, experience } = await recordOf(world, player);
        after.push([await world.arena.purseOf(player, world.fight), rating, experience]);
      }
      for (let i = 1; i < after.length; i++) {
        after[i].forEach((value, field) => expect(value >= after[i - 1][field], `${i}, ${field}`).to.equal(true));
      }
    });
  }
});
