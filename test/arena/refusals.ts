import { expect } from "chai";
import { Status, statusName } from "../../sdk/protocol/status.js";
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
  wordsOf,
} from "../support/index.js";
import { expectSolvent, inPlay, offered, taken, type Match, type Offer } from "../support/matches.js";
import { fundOrder } from "../support/orders.js";
import { ACCEPTED, outcomeOf, contractsIn, stateOf } from "../support/refusals.js";

const ENTRIES = ["fund", "send", "join", "act", "resign", "timeout", "cancel", "decline"] as const;
type Entry = (typeof ENTRIES)[number];

/** Errors with which the arena refuses calls in these tests. */
type Refusal =
  | "FundFirst"
  | "NotAPlayer"
  | "NotTheChallenger"
  | "NotTheOpponent"
  | "NotYourTurn"
  | "OfferIsFirm"
  | "OfferIsOpen"
  | "OwnOpponent"
  | "TooEarly"
  | "TooLate"
  | "UnknownMatch"
  | "WrongStatus";

const LONG = 31n * DAY;
/** With an explicit gas limit, a transaction is mined even when it is refused. */
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

const declined = async (world: World) => {
  const match = await offered(world, { ...STAKES, firmFor: DAY, opponent: "bob" });
  await world.arena.connect(world.bob).decline(match.id);
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

/** The status after a call, or the error that refuses it. */
type Outcome = keyof typeof Status | Refusal;
/** Outcomes for alice, who is player 1, for bob, the named opponent or player 2, and for carol, a stranger. */
type Outcomes = readonly [alice: Outcome, bob: Outcome, carol: Outcome];

const everybody = (outcome: Outcome): Outcomes => [outcome, outcome, outcome];
const challenger = (outcome: Outcome): Outcomes => [outcome, "NotTheChallenger", "NotTheChallenger"];
const opponent = (bob: Outcome, carol: Outcome): Outcomes => ["OwnOpponent", bob, carol];
const turnOfAlice: Outcomes = ["AllJoined", "NotYourTurn", "NotYourTurn"];
const turnOfBob: Outcomes = ["NotYourTurn", "AllJoined", "NotYourTurn"];

/**
 * Outcomes in a status. A function that is not listed is rejected for everybody with WrongStatus, and `cancel` by
 * anyone but the challenger with NotTheChallenger.
 */
interface Row {
  when: string;
  build(world: World): Promise<Match>;
  /** Outcomes of `fund`, and of a transfer with an order. */
  fund?: Outcomes;
  join?: Outcomes;
  act?: Outcomes;
  resign?: Outcomes;
  timeout?: Outcomes;
  cancel?: Outcomes;
  decline?: Outcomes;
  /** Outcomes of `timeout` after the deadline. */
  timeoutLate?: Outcomes;
}

const OFFERED = { timeout: everybody("TooEarly"), timeoutLate: everybody("P1Canceled") };
const UNFUNDED = { ...OFFERED, fund: challenger("P1Deposited") };
const SOFT = { cancel: challenger("P1Canceled") };
const FIRM = { cancel: challenger("OfferIsFirm") };
const OPEN = { decline: everybody("OfferIsOpen") };
const NAMED = { decline: ["NotTheOpponent", "P1Canceled", "NotTheOpponent"] } satisfies Partial<Row>;
const SEAT_OF_ANYONE = { fund: opponent("AllDeposited", "AllDeposited"), join: opponent("FundFirst", "FundFirst") };
const SEAT_OF_BOB = { fund: opponent("AllDeposited", "NotTheOpponent"), join: opponent("FundFirst", "NotTheOpponent") };
const ONE_STEP = { join: opponent("AllJoined", "NotTheOpponent") };
const FUNDED_BY_BOB = { ...ONE_STEP, timeout: everybody("TooEarly"), timeoutLate: everybody("P1WinInactive") };
const IN_PLAY = {
  resign: ["P2Win", "P1Win", "NotAPlayer"],
  timeout: everybody("TooEarly"),
} satisfies Partial<Row>;
const NO_MATCH = {
  fund: everybody("UnknownMatch"),
  join: everybody("UnknownMatch"),
  act: everybody("UnknownMatch"),
  resign: everybody("UnknownMatch"),
  timeout: everybody("UnknownMatch"),
  cancel: everybody("UnknownMatch"),
  decline: everybody("UnknownMatch"),
  timeoutLate: everybody("UnknownMatch"),
};

const TABLE: Row[] = [
  { when: "0 soft open", build: offer({ funded: false }), ...UNFUNDED, ...SOFT, ...OPEN },
  { when: "0 soft named", build: offer({ funded: false, opponent: "bob" }), ...UNFUNDED, ...SOFT, ...NAMED },
  { when: "0 firm open", build: offer({ funded: false, firmFor: DAY }), ...UNFUNDED, ...FIRM, ...OPEN },
  {
    when: "0 firm named",
    build: offer({ funded: false, firmFor: DAY, opponent: "bob" }),
    ...UNFUNDED,
    ...FIRM,
    ...NAMED,
  },
  { when: "1 soft open", build: offer({}), ...OFFERED, ...SOFT, ...OPEN, ...SEAT_OF_ANYONE },
  { when: "1 soft named", build: offer({ opponent: "bob" }), ...OFFERED, ...SOFT, ...NAMED, ...SEAT_OF_BOB },
  { when: "1 firm open", build: offer({ firmFor: DAY }), ...OFFERED, ...FIRM, ...OPEN, ...SEAT_OF_ANYONE },
  {
    when: "1 firm named",
    build: offer({ firmFor: DAY, opponent: "bob" }),
    ...OFFERED,
    ...FIRM,
    ...NAMED,
    ...SEAT_OF_BOB,
    ...ONE_STEP,
  },
  { when: "2 soft", build: (world) => taken(world, STAKES), ...FUNDED_BY_BOB },
  { when: "2 firm", build: (world) => taken(world, { ...STAKES, firmFor: DAY }), ...FUNDED_BY_BOB },
  {
    when: "3 turn 1",
    build: play(Seat.One),
    ...IN_PLAY,
    act: turnOfAlice,
    timeoutLate: everybody("P2WinInactive"),
  },
  {
    when: "3 turn 2",
    build: play(Seat.Two),
    ...IN_PLAY,
    act: turnOfBob,
    timeoutLate: everybody("P1WinInactive"),
  },
  { when: "6", build: ended(Seat.One) },
  { when: "7", build: ended(Seat.Two) },
  { when: "8", build: canceled },
  { when: "8 declined", build: declined },
  { when: "9 from 2", build: timedOut(taken) },
  { when: "9 from 3", build: timedOut((world, kind) => inPlay(world, kind, Seat.Two)) },
  { when: "10", build: timedOut((world, kind) => inPlay(world, kind)) },
  { when: "11", build: ended(Seat.None) },
  { when: "unknown, id 0", build: unknown(0n), ...NO_MATCH },
  { when: "unknown, id too high", build: unknown(10n ** 30n), ...NO_MATCH },
];

/** One world with a match for every row, to check that a call for one match does not affect the others. */
async function everyStatus() {
  const world = await deployed();
  const matches: Match[] = [];
  for (const { build } of TABLE) matches.push(await build(world));
  return { world, matches, fields: await matchesOf(world), state: await stateOf(contractsIn(world)) };
}

async function everyStatusLate() {
  const early = await everyStatus();
  await networkHelpers.time.increase(LONG);
  return early;
}

type Fixture = typeof everyStatus;

async function matchesOf({ arena }: World): Promise<string[]> {
  const ids = Array.from({ length: Number(await arena.matchCount()) }, (_, i) => i + 1);
  return Promise.all(ids.map(async (id) => (await wordsOf(arena, "matchOf", BigInt(id))).join()));
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
    case "decline":
      return own.decline(id, MINED);
  }
}

/** Describes each rejection with its expected values. */
async function refusalsFor({ arena }: World, { id }: Match, caller: Caller): Promise<Record<Refusal, string>> {
  const { status, turn, deadline } = await arena.matchOf(id).catch(() => ({ status: 0n, turn: 0n, deadline: 0n }));
  const time = (await now()) + 1n;
  return {
    NotTheChallenger: `(${id}, alice, ${caller})`,
    TooEarly: `(${id}, ${deadline}, ${time})`,
    FundFirst: `(${id})`,
    OfferIsFirm: `(${id}, ${deadline})`,
    TooLate: `(${id}, ${deadline}, ${time})`,
    OfferIsOpen: `(${id})`,
    NotTheOpponent: `(${id}, bob, ${caller})`,
    OwnOpponent: `(alice)`,
    NotAPlayer: `(${id}, ${caller})`,
    WrongStatus: `(${id}, ${status})`,
    UnknownMatch: `(${id})`,
    NotYourTurn: `(${id}, ${turn === Seat.One ? "alice" : "bob"}, ${caller})`,
  };
}

/** Calls a function as a caller and returns the outcome, after checking what else changed and what did not. */
async function outcomeBy(fixture: Fixture, row: number, entry: Entry, caller: Caller): Promise<string> {
  const { world, matches, fields, state } = await loadFixture(fixture);
  const match = matches[row];
  const refusals = Object.entries(await refusalsFor(world, match, caller));
  await at((await now()) + 1n);
  const outcome = await outcomeOf(world, send(world, caller, entry, match));
  if (outcome !== ACCEPTED) {
    expect(await stateOf(contractsIn(world)), `state after ${entry} by ${caller}`).to.deep.equal(state);
    return refusals.find(([name, values]) => outcome === `${name}${values}`)?.[0] ?? outcome;
  }
  const others = (all: string[]) => all.filter((_, i) => BigInt(i + 1) !== match.id);
  expect(others(await matchesOf(world)), `others after ${entry} by ${caller}`).to.deep.equal(others(fields));
  await expectSolvent(world, match.terms.token);
  return statusName(await world.arena.statusOf(match.id));
}

/** Calls every function as every caller, and returns the outcomes by function. */
async function outcomesOf(fixture: Fixture, row: number): Promise<Record<string, string[]>> {
  const outcomes: Record<string, string[]> = {};
  for (const entry of ENTRIES) {
    outcomes[entry] = [];
    for (const caller of CALLERS) outcomes[entry].push(await outcomeBy(fixture, row, entry, caller));
  }
  return outcomes;
}

const WRONG_STATUS = everybody("WrongStatus");
const isAccepted = (outcome: Outcome) => outcome in Status;

/**
 * Returns the outcomes of a row by function. After the deadline, accepted calls of `fund`, `join` and `decline` become
 * TooLate, and so do all calls of `act` and `resign` of a match in play.
 */
function expectedOutcomes(row: Row, isLate: boolean): Record<Entry, Outcomes> {
  const { fund = WRONG_STATUS, join = WRONG_STATUS, act = WRONG_STATUS, resign = WRONG_STATUS } = row;
  const { timeout = WRONG_STATUS, timeoutLate = WRONG_STATUS, cancel = challenger("WrongStatus") } = row;
  const { decline = WRONG_STATUS } = row;
  if (!isLate) return { fund, send: fund, join, act, resign, timeout, cancel, decline };
  const seat = ([alice, bob, carol]: Outcomes): Outcomes => [lateOf(alice), lateOf(bob), lateOf(carol)];
  const play = (outcomes: Outcomes) => (outcomes.some(isAccepted) ? everybody("TooLate") : outcomes);
  return {
    fund: seat(fund),
    send: seat(fund),
    join: seat(join),
    act: play(act),
    resign: play(resign),
    timeout: timeoutLate,
    cancel,
    decline: seat(decline),
  };
}

function lateOf(outcome: Outcome): Outcome {
  return isAccepted(outcome) ? "TooLate" : outcome;
}

describe("Arena: every function, in every status, by every caller", () => {
  for (const isLate of [false, true]) {
    describe(`given the deadline has ${isLate ? "" : "not "}passed`, () => {
      TABLE.forEach((row, i) => {
        it(`given a match in state "${row.when}", each call has the outcome in the table`, async () => {
          const outcomes = await outcomesOf(isLate ? everyStatusLate : everyStatus, i);
          expect(outcomes).to.deep.equal(expectedOutcomes(row, isLate));
        });
      });
    });
  }
});
