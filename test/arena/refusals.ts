import { expect } from "chai";
import {
  DAY,
  deployed,
  loadFixture,
  networkHelpers,
  Seat,
  step,
  UNIT,
  ZERO_HASH,
  type World,
  at,
  now,
} from "../support/index.js";
import { expectSolvent, inPlay, offered, taken, type Match, type Offer } from "../support/matches.js";
import { fundOrder } from "../support/orders.js";
import { ACCEPTED, outcomeOf, contractsIn, stateOf } from "../support/refusals.js";

const ENTRIES = ["fund", "send", "join", "act", "resign", "timeout", "cancel"] as const;
type Entry = (typeof ENTRIES)[number];
type Row = [columns: string, name: string, build: (world: World) => Promise<Match>];

const LONG = 31n * DAY;
/** With a gas limit of its own, a transaction is mined even when it is refused. */
const MINED = { gasLimit: 1_000_000n };
const STAKES: Offer = { stake1: 10n * UNIT, stake2: 30n * UNIT, clock: DAY };
const QUICK: Offer = { ...STAKES, clock: 60n };

const offer = (kind: Offer) => (world: World) => offered(world, { ...STAKES, ...kind });
const play = (turn: bigint) => (world: World) => inPlay(world, STAKES, turn);
const unknown = (count: bigint) => async (world: World) => ({ ...(await offered(world)), id: count, hash: ZERO_HASH });

/** Builds a match that an action has ended with this winner. */
const ended = (winner: bigint) => async (world: World) => {
  const match = await inPlay(world, STAKES);
  await world.arena.connect(world.alice).act(match.id, step(Seat.None, winner));
  return match;
};

const canceled = async (world: World) => {
  const match = await offered(world, { ...STAKES, opponent: "bob" });
  await world.arena.connect(world.alice).cancel(match.id);
  return match;
};

const timedOut = (build: (world: World, offer: Offer) => Promise<Match>) => async (world: World) => {
  const match = await build(world, QUICK);
  await networkHelpers.time.increase(61);
  await world.arena.timeout(match.id);
  return match;
};

/**
 * The answers to alice (player 1), bob (the named opponent or player 2) and carol, one letter each. A digit: accepted,
 * and this is the new status (a and b are 10 and 11). Else the refusal:
 * C NotTheChallenger, E TooEarly, F FundFirst, I OfferIsFirm, L TooLate, N NotTheOpponent, O OwnOpponent, P NotAPlayer,
 * S WrongStatus, U UnknownMatch, Y NotYourTurn.
 *
 * fund is also a transfer with an order. After the deadline timeout answers as in the last column, what was accepted of
 * fund and join is TooLate, as are act and resign in status 3 whoever calls; nothing else changes.
 */
const TABLE: Row[] = [
  // The columns: fund, join, act, resign, timeout, cancel, and timeout after the deadline.
  ["1CC SSS SSS SSS EEE 8CC 888", "0 soft open", offer({ funded: false })],
  ["1CC SSS SSS SSS EEE 8CC 888", "0 soft named", offer({ funded: false, opponent: "bob" })],
  ["1CC SSS SSS SSS EEE ICC 888", "0 firm open", offer({ funded: false, firmFor: DAY })],
  ["1CC SSS SSS SSS EEE ICC 888", "0 firm named", offer({ funded: false, firmFor: DAY, opponent: "bob" })],
  ["O22 OFF SSS SSS EEE 8CC 888", "1 soft open", offer({})],
  ["O2N OFN SSS SSS EEE 8CC 888", "1 soft named", offer({ opponent: "bob" })],
  ["O22 OFF SSS SSS EEE ICC 888", "1 firm open", offer({ firmFor: DAY })],
  ["O2N O3N SSS SSS EEE ICC 888", "1 firm named", offer({ firmFor: DAY, opponent: "bob" })],
  ["SSS O3N SSS SSS EEE SCC 999", "2 soft", (world) => taken(world, STAKES)],
  ["SSS O3N SSS SSS EEE SCC 999", "2 firm", (world) => taken(world, { ...STAKES, firmFor: DAY })],
  ["SSS SSS 3YY 76P EEE SCC aaa", "3 turn 1", play(Seat.One)],
  ["SSS SSS Y3Y 76P EEE SCC 999", "3 turn 2", play(Seat.Two)],
  ["SSS SSS SSS SSS SSS SCC SSS", "6", ended(Seat.One)],
  ["SSS SSS SSS SSS SSS SCC SSS", "7", ended(Seat.Two)],
  ["SSS SSS SSS SSS SSS SCC SSS", "8", canceled],
  ["SSS SSS SSS SSS SSS SCC SSS", "9 from 2", timedOut(taken)],
  ["SSS SSS SSS SSS SSS SCC SSS", "9 from 3", timedOut((world, kind) => inPlay(world, kind, Seat.Two))],
  ["SSS SSS SSS SSS SSS SCC SSS", "10", timedOut((world, kind) => inPlay(world, kind))],
  ["SSS SSS SSS SSS SSS SCC SSS", "11", ended(Seat.None)],
  ["UUU UUU UUU UUU UUU UUU UUU", "unknown, id 0", unknown(0n)],
  ["UUU UUU UUU UUU UUU UUU UUU", "unknown, id too high", unknown(10n ** 30n)],
];

/** One world with a match for every row, so that each can be seen to leave the others alone. */
async function everyStatus() {
  const world = await deployed();
  const matches: Match[] = [];
  for (const [, , build] of TABLE) matches.push(await build(world));
  return { world, matches, fields: await fieldsOf(world), state: await stateOf(contractsIn(world)) };
}

async function everyStatusLate() {
  const early = await everyStatus();
  await networkHelpers.time.increase(LONG);
  return early;
}

type Fixture = typeof everyStatus;

async function fieldsOf({ arena }: World): Promise<string[]> {
  const ids = Array.from({ length: Number(await arena.matchCount()) }, (_, i) => i + 1);
  return Promise.all(ids.map(async (id) => (await arena.matchOf(id)).join()));
}

const CALLERS = ["alice", "bob", "carol"] as const;
type Caller = (typeof CALLERS)[number];

function send({ arena, fight, ...cast }: World, caller: Caller, entry: Entry, { id, hash }: Match): Promise<unknown> {
  const player = cast[caller];
  const own = arena.connect(player);
  const order = fundOrder(id, hash);
  switch (entry) {
    case "fund":
      return own.fund(id, hash, MINED);
    case "send":
      return fight.connect(player)["transferAndCall(address,uint256,bytes)"](arena, 30n * UNIT, order, MINED);
    case "join":
      return own.join(id, hash, step(Seat.One), MINED);
    case "act":
      return own.act(id, step(Seat.Two), MINED);
    case "resign":
      return own.resign(id, MINED);
    case "timeout":
      return own.timeout(id, MINED);
    case "cancel":
      return own.cancel(id, MINED);
  }
}

/** The letters for refusals, each with the values it must carry. */
async function lettersFor({ arena }: World, { id }: Match, caller: Caller): Promise<Record<string, string>> {
  const { status, turn, deadline } = await arena.matchOf(id).catch(() => ({ status: 0n, turn: 0n, deadline: 0n }));
  const time = (await now()) + 1n;
  return {
    [`NotTheChallenger(${id}, alice, ${caller})`]: "C",
    [`TooEarly(${id}, ${deadline}, ${time})`]: "E",
    [`FundFirst(${id})`]: "F",
    [`OfferIsFirm(${id}, ${deadline})`]: "I",
    [`TooLate(${id}, ${deadline}, ${time})`]: "L",
    [`NotTheOpponent(${id}, bob, ${caller})`]: "N",
    [`OwnOpponent(alice)`]: "O",
    [`NotAPlayer(${id}, ${caller})`]: "P",
    [`WrongStatus(${id}, ${status})`]: "S",
    [`UnknownMatch(${id})`]: "U",
    [`NotYourTurn(${id}, ${turn === Seat.One ? "alice" : "bob"}, ${caller})`]: "Y",
  };
}

/** Tries one cell for one caller and gives its letter, having checked what else did and did not change. */
async function letterOf(fixture: Fixture, row: number, entry: Entry, caller: Caller): Promise<string> {
  const { world, matches, fields, state } = await loadFixture(fixture);
  const match = matches[row];
  const letters = await lettersFor(world, match, caller);
  await at((await now()) + 1n);
  const outcome = await outcomeOf(world, send(world, caller, entry, match));
  if (outcome !== ACCEPTED) {
    expect(await stateOf(contractsIn(world)), `state after ${entry} by ${caller}`).to.deep.equal(state);
    return letters[outcome] ?? outcome;
  }
  const others = (all: string[]) => all.filter((_, i) => BigInt(i + 1) !== match.id);
  expect(others(await fieldsOf(world)), `others after ${entry} by ${caller}`).to.deep.equal(others(fields));
  await expectSolvent(world, match.terms.token);
  return (await world.arena.statusOf(match.id)).toString(16);
}

async function rowOf(fixture: Fixture, row: number): Promise<string> {
  const cells: string[] = [];
  for (const entry of ENTRIES) {
    let cell = `${entry} `;
    for (const caller of CALLERS) cell += await letterOf(fixture, row, entry, caller);
    cells.push(cell);
  }
  return cells.join(", ");
}

function expectedRow(columns: string, late: boolean): string {
  const [fund, join, act, resign, timeout, cancel, lateTimeout] = columns.split(" ");
  const seat = (cell: string) => (late ? cell.replaceAll(/[0-9]/g, "L") : cell);
  const play = (cell: string) => (late && /[0-9]/.test(cell) ? "LLL" : cell);
  const cells = [seat(fund), seat(fund), seat(join), play(act), play(resign), late ? lateTimeout : timeout, cancel];
  return ENTRIES.map((entry, i) => `${entry} ${cells[i]}`).join(", ");
}

describe("Arena: every function, in every status, by every caller", () => {
  describe("given the deadline has not passed", () => {
    TABLE.forEach(([columns, name], row) => {
      it(`when the status is ${name}, it answers as the table says`, async () => {
        expect(await rowOf(everyStatus, row)).to.equal(expectedRow(columns, false));
      });
    });
  });

  describe("given the deadline has passed", () => {
    TABLE.forEach(([columns, name], row) => {
      it(`when the status is ${name}, it answers as the table says`, async () => {
        expect(await rowOf(everyStatusLate, row)).to.equal(expectedRow(columns, true));
      });
    });
  });
});
