import { expect } from "chai";
import fc from "fast-check";
import { deployed, loadFixture, Seat, Status, step, type World, at } from "../support/index.js";
import { expectSolvent, inPlay } from "../support/matches.js";

const { None, One, Two } = Seat;
const MAX = 2n ** 96n - 1n;
const BPS = 10_000n;

/** The end of a match: the call that ends it, and the seat that takes the pot. */
type Ending = [name: string, turn: bigint, winner: bigint, taker: bigint, how: "act" | "resign" | "timeout"];

const ENDINGS: Ending[] = [
  ...[None, One, Two].flatMap((winner) =>
    [None, One, Two].map((taker): Ending => [`winner ${winner}, taker ${taker}`, One, winner, taker, "act"]),
  ),
  ["seat 1 resigns", Two, Two, Two, "resign"],
  ["seat 2 resigns", Two, One, One, "resign"],
  ["seat 1 times out", One, Two, Two, "timeout"],
  ["seat 2 times out", Two, One, One, "timeout"],
];

/** A world in which the purses of alice and bob cover several of the highest stakes. */
async function rich() {
  const world = await deployed();
  const { arena, fight, alice, bob } = world;
  for (const player of [alice, bob]) {
    await fight.mint(player, 8n * MAX);
    await arena.connect(player).deposit(fight, 8n * MAX, player);
  }
  return world;
}

async function end({ arena, alice, bob, stranger }: World, id: bigint, [, , winner, taker, how]: Ending) {
  if (how === "act") return arena.connect(alice).act(id, step(None, winner, taker));
  if (how === "resign") return arena.connect(winner === Two ? alice : bob).resign(id);
  await at((await arena.matchOf(id)).deadline + 1n);
  return arena.connect(stranger).timeout(id);
}

function statusOf([, , winner, , how]: Ending): bigint {
  if (how === "timeout") return winner === One ? Status.P1WinInactive : Status.P2WinInactive;
  return [Status.Draw, Status.P1Win, Status.P2Win][Number(winner)];
}

/**
 * Returns the payments to player 1, player 2 and the house: the pot less the house fee, rounded down, or each player's
 * stake.
 */
function payment(stakes: [bigint, bigint], feeBps: bigint, [, , , taker, how]: Ending): [bigint, bigint, bigint] {
  if (taker === None) return [...stakes, 0n];
  const pot = stakes[0] + stakes[1];
  const house = how === "timeout" ? 0n : (pot * feeBps - ((pot * feeBps) % BPS)) / BPS;
  return taker === One ? [pot - house, 0n, house] : [0n, pot - house, house];
}

/** Plays one match to this end and checks the event and every purse. */
async function plays(world: World, stakes: [bigint, bigint], feeBps: bigint, payee: Payee, ending: Ending) {
  const { arena, fight, alice, bob } = world;
  const house = world[payee];
  await arena.setFeeBps(feeBps);
  await arena.setTreasury(house);
  const accounts = [...new Set([alice, bob, house])];
  const purses = () => Promise.all(accounts.map((account) => arena.purseOf(account, fight)));
  const before = await purses();
  const terms = { stake1: stakes[0], stake2: stakes[1], feeBps, rated: false };
  const { id } = await inPlay(world, terms, ending[1]);

  const paid = payment(stakes, feeBps, ending);
  await expect(end(world, id, ending))
    .to.emit(arena, "Settled")
    .withArgs(id, statusOf(ending), ...paid, 0n, 0n);
  expect(paid[0] + paid[1] + paid[2], "prize + house = pot").to.equal(stakes[0] + stakes[1]);
  const credits = [alice, bob, house].map((account, i): [number, bigint] => [accounts.indexOf(account), paid[i]]);
  const expected = [before[0] - stakes[0], before[1] - stakes[1], ...before.slice(2)];
  for (const [account, credit] of credits) expected[account] += credit;
  expect(await purses()).to.deep.equal(expected);
}

async function expectCovered(world: World): Promise<void> {
  await expectSolvent(world, await world.fight.getAddress());
}

const PAYEES = ["treasury", "alice", "bob"] as const;
type Payee = (typeof PAYEES)[number];

const EDGES: [bigint, bigint][] = [
  [0n, 0n],
  [1n, 0n],
  [0n, 1n],
  [2n, 3n],
  [4_999n, 5_000n],
  [MAX, MAX],
];
/** House fees. With THOROUGH, each pair of edge stakes is tested with all of them, otherwise with one, in rotation. */
const FEES = [0n, 1n, 2000n];

const stake = fc.oneof(fc.constantFrom(0n, 1n, 2n, 3n, 4n, 5n, 9_999n, 10_001n, MAX), fc.bigInt(0n, MAX));
const shares = fc.oneof(fc.constantFrom(0n, 1n, 1999n, 2000n), fc.bigInt(0n, 2000n));

describe("Purse: settlement", () => {
  it("given random stakes, fees, treasuries and ends, when a match ends, prize and house fee add up to the pot", async () => {
    const any = [fc.tuple(stake, stake), shares, fc.constantFrom(...PAYEES), fc.constantFrom(...ENDINGS)] as const;
    const property = fc.asyncProperty(...any, async (stakes, feeBps, payee, ending) => {
      const world = await loadFixture(rich);
      await plays(world, stakes, feeBps, payee, ending);
      await expectCovered(world);
    });
    await fc.assert(property, { seed: 20261, numRuns: 80 });
  });

  for (const [n, ending] of ENDINGS.entries()) {
    it(`given the smallest and largest stakes and fees, when the end is ${ending[0]}, prize and house fee add up to the pot`, async () => {
      const world = await loadFixture(rich);
      for (const [i, stakes] of EDGES.entries()) {
        const fees = process.env.THOROUGH ? FEES : [FEES[(n + i) % FEES.length]];
        for (const feeBps of fees) await plays(world, stakes, feeBps, "treasury", ending);
      }
      await expectCovered(world);
    });
  }

  for (const payee of ["alice", "bob"] as const) {
    it(`given that ${payee} is the treasury, when a player takes the pot, both the prize and the house fee are credited`, async () => {
      const world = await loadFixture(rich);
      for (const ending of ENDINGS) await plays(world, [7n, 4n], 2000n, payee, ending);
      await expectCovered(world);
    });
  }
});
