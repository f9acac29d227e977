import { ZeroAddress } from "ethers";
import type { AnyEvent, Events } from "../events.js";
import type { Archive } from "../archive.js";
import type { Rerun } from "../record.js";
import type { Hex } from "../seal.js";
import { expectedEnding, winnerBy, type Payment } from "../settlement.js";
import { Seat, Status } from "../status.js";
import { termsHash, type Terms } from "../terms.js";
import { Books } from "./books.js";
import { placeOf, type Difference } from "./difference.js";
import type { Expectation } from "./state.js";

const LEAST_CLOCK = 60n;
const MOST_CLOCK = 30n * 86_400n;
const OFFER_LIFE = 30n * 86_400n;
const MOST_SHARE = 2000n;
/** Each action gives back this part of the clock. */
const INCREMENTS = 32n;

/** What is known of a match beside the arena's events. */
export interface Course {
  /** Whose turn it is once player 2 has joined, and after each action; None when the game is over, undefined if nobody can tell. */
  turns: readonly (bigint | undefined)[];
  /** How the game ended the match, if it did. */
  result?: Rerun["result"];
  /** Whether the game's moves were played again. */
  isKnown: boolean;
}

/** A match as the arena has it. */
interface Standing {
  readonly matchId: bigint;
  readonly terms: Terms;
  readonly termsId: bigint;
  readonly player1: string;
  player2: string;
  readonly isFirm: boolean;
  /** Whether the offer names its opponent. */
  readonly isNamed: boolean;
  status: bigint;
  /** As in `Seat`; undefined if nobody can tell. */
  turn: bigint | undefined;
  deadline: bigint;
  reserve: bigint;
  fundedAt: bigint;
  /** Whether seat 2 was taken by a transfer; undefined if events cannot tell. */
  byTransfer: boolean | undefined;
  /** Actions so far, joining included. */
  steps: number;
  /** Whether a step was taken of which nobody can tell whose turn it left. */
  isVague: boolean;
}

/** An arena that is followed event by event: the twin of the contract. */
export class Referee {
  readonly matches = new Map<bigint, Standing>();
  private readonly books = new Books();
  private readonly terms = new Map<Hex, { id: bigint; terms: Terms }>();
  /** By player and operator. */
  private readonly operators = new Map<string, bigint>();
  private share = 0n;
  private treasury = ZeroAddress;
  /** The event before this one. */
  private last?: AnyEvent;
  /** What must come next, in the same transaction. */
  private due?: { name: "Funded" | "Settled"; matchId: bigint };
  private event!: AnyEvent;
  private time = 0n;
  private difference?: Difference;

  /**
   * @param arena Its address.
   * @param courseOf What is known of matches; asked for when they are created.
   */
  constructor(
    private readonly arena: string,
    private readonly courseOf: (matchId: bigint) => Course,
  ) {}

  /** Takes the arena's next event, at a time in seconds, for what it says. @returns the first thing that cannot have been. */
  take(event: AnyEvent, time = 0n): Difference | undefined {
    this.difference = undefined;
    this.event = event;
    this.time = time;
    this.checkDue();
    this.carryOut(event);
    this.last = event;
    return this.difference;
  }

  /** What is missing behind the last event. */
  end(): Difference | undefined {
    if (!this.due) return undefined;
    const { name, matchId } = this.due;
    return { matchId, at: name, what: "the event", expected: "one", found: "none" };
  }

  /** What the arena's views must answer. */
  kept(): Expectation[] {
    const kept = [
      { view: "matchCount", args: [], answer: [BigInt(this.matches.size)] },
      { view: "share", args: [], answer: [this.share] },
      { view: "treasury", args: [], answer: [this.treasury] },
      ...[...this.terms].map(([hash, { id }]) => ({ view: "termsIdOf", args: [hash], answer: [id] })),
      ...[...this.operators].map(([key, until]) => ({ view: "operatorUntil", args: key.split(" "), answer: [until] })),
      ...this.books.kept(),
      ...[...this.matches.values()].map(keptOf),
    ];
    return kept.map((each) => ({ address: this.arena, ...each }));
  }

  private carryOut({ name, args }: AnyEvent): void {
    switch (name) {
      case "TermsAdded":
        return this.addTerms(args);
      case "Created":
        return this.create(args);
      case "Funded":
        return this.fund(args);
      case "Joined":
        return this.join(args);
      case "Acted":
        return this.act(args);
      case "Settled":
        return this.settle(args);
      case "Deposited":
        this.check("the receiver", ![ZeroAddress, this.arena].includes(args.player), "a player", args.player);
        return this.books.exchange(args.player, args.token, args.amount);
      case "Withdrawn":
        this.checkPurse(args.player, args.token, args.amount);
        this.check("the receiver", ![ZeroAddress, this.arena].includes(args.to), "another address", args.to);
        return this.books.exchange(args.player, args.token, -args.amount);
      case "OperatorAllowed":
        this.operators.set(`${args.player} ${args.operator}`, args.until);
        return;
      case "ShareChanged":
        this.check("the share", args.share <= MOST_SHARE, `at most ${MOST_SHARE}`, args.share);
        this.share = args.share;
        return;
      case "TreasuryChanged":
        this.check("the treasury", ![ZeroAddress, this.arena].includes(args.treasury), "an owner", args.treasury);
        this.treasury = args.treasury;
    }
  }

  private addTerms({ termsId, terms }: Events["TermsAdded"]): void {
    const hash = termsHash(terms);
    this.same("the number of the terms", BigInt(this.terms.size + 1), termsId);
    this.check("the terms", !this.terms.has(hash), "new ones", `those of number ${this.terms.get(hash)?.id}`);
    const isClock = terms.clock >= LEAST_CLOCK && terms.clock <= MOST_CLOCK;
    this.check("the clock", isClock, `${LEAST_CLOCK} to ${MOST_CLOCK}`, terms.clock);
    this.terms.set(hash, { id: termsId, terms });
  }

  private create({ matchId, player1, opponent, termsHash: hash, firmUntil }: Events["Created"]): void {
    this.same("the number of the match", BigInt(this.matches.size + 1), matchId);
    const known = this.terms.get(hash);
    if (!known) return this.check("the terms", false, "known ones", hash);
    const { id, terms } = known;
    this.same("the share of the terms", this.share, terms.share);
    this.check("the opponent", opponent !== player1, "another player", opponent);
    const latest = this.time + OFFER_LIFE;
    const isInBounds = firmUntil === 0n || (firmUntil > this.time && firmUntil <= latest);
    this.check("firmUntil", isInBounds, `after ${this.time} and by ${latest}`, firmUntil);
    const isFirm = firmUntil !== 0n;
    const isNamed = opponent !== ZeroAddress;
    this.matches.set(matchId, {
      ...{ matchId, terms, termsId: id, player1, player2: opponent, isFirm, isNamed, byTransfer: false },
      ...{ status: Status.Created, turn: Seat.None, deadline: isFirm ? firmUntil : latest, reserve: 0n },
      ...{ fundedAt: 0n, steps: 0, isVague: false },
    });
    this.books.meet(terms.game, player1);
    if (this.books.purse(player1, terms.token) >= terms.stake1) this.due = { name: "Funded", matchId };
  }

  private fund({ matchId, seat, player }: Events["Funded"]): void {
    const m = this.find(matchId);
    if (!m) return;
    const { terms } = m;
    this.check("the seat", seat === Seat.One || seat === Seat.Two, "1 or 2", seat);
    const stake = seat === Seat.One ? terms.stake1 : terms.stake2;
    this.same("the status before it", seat === Seat.One ? Status.Created : Status.P1Deposited, m.status);
    this.checkInTime(m);
    this.checkPurse(player, terms.token, stake);
    this.books.credit(player, terms.token, -stake);
    m.status = seat;
    if (seat === Seat.One) return this.same("the player", m.player1, player);
    this.check("the player", player !== m.player1, "not the challenger", player);
    if (m.isNamed) this.same("the player", m.player2, player);
    Object.assign(m, { player2: player, fundedAt: this.time, deadline: this.time + terms.clock });
    this.books.meet(terms.game, player);
    m.byTransfer = this.mayBeTransfer(player, terms, stake) ? undefined : false;
  }

  private join({ matchId, player2 }: Events["Joined"]): void {
    const m = this.find(matchId);
    if (!m) return;
    this.same("the status before it", Status.AllDeposited, m.status);
    this.same("the player", m.player2, player2);
    if (this.time > m.fundedAt) this.checkInTime(m);
    else {
      // In one step, as the opponent of a firm offer.
      this.check("the offer", m.isFirm && m.isNamed, "a firm one that names its opponent", "one to be funded before");
      this.check("the event before", this.isNext("Funded", matchId), "Funded of the match", this.last?.name);
      m.byTransfer = false;
    }
    m.status = Status.AllJoined;
    m.deadline = this.time + m.terms.clock;
    m.reserve = m.terms.clock;
    this.step(m);
  }

  private act({ matchId, seat }: Events["Acted"]): void {
    const m = this.find(matchId);
    if (!m) return;
    this.same("the status before it", Status.AllJoined, m.status);
    this.checkInTime(m);
    this.same("the seat", m.turn ?? seat, seat);
    this.step(m, seat);
  }

  /** Gives the turn to whom the game gives it; the clock is the arena's. */
  private step(m: Standing, seat?: bigint): void {
    const { turns } = this.courseOf(m.matchId);
    m.turn = turns[m.steps++];
    if (m.turn === undefined) m.isVague = true;
    else if (m.turn === Seat.None) this.due = { name: "Settled", matchId: m.matchId };
    else if (seat !== undefined) this.punchClock(m, m.turn !== seat);
  }

  private punchClock(m: Standing, turnChanged: boolean): void {
    const { clock } = m.terms;
    const rest = m.deadline - this.time + clock / INCREMENTS;
    const left = rest < clock ? rest : clock;
    if (turnChanged) [m.deadline, m.reserve] = [this.time + m.reserve, left];
    else m.deadline = this.time + left;
  }

  private settle(args: Events["Settled"]): void {
    const { matchId, status, paid1, paid2, house, rating1, rating2 } = args;
    const m = this.find(matchId);
    if (!m) return;
    this.checkEnd(m, status);
    if (!this.courseOf(matchId).isKnown) this.checkPayment(m, args);
    const { terms } = m;
    const players = [m.player1, m.player2];
    for (const [player, paid] of [
      [m.player1, paid1],
      [m.player2, paid2],
      [this.treasury, house],
    ] as const) {
      if (paid > 0n) this.books.credit(player, terms.token, paid);
    }
    const ratings = this.isRated(m, args) ? this.books.rate(terms, players, args, this.time) : [0n, 0n];
    for (const [side, rating] of ratings.entries()) this.same(`rating${side + 1}`, rating, [rating1, rating2][side]);
    Object.assign(m, { status, turn: Seat.None });
  }

  /** Whether a match counts for the ladder: not if it was called off, nor if only a token says that player 2 wanted it. */
  private isRated(m: Standing, { status, rating1, rating2 }: Events["Settled"]): boolean {
    if (!m.terms.rated || status === Status.P1Canceled) return false;
    if (m.status !== Status.AllDeposited) return true;
    // Whoever won by the clock has a rating above zero.
    m.byTransfer ??= rating1 === 0n && rating2 === 0n;
    return !m.byTransfer;
  }

  /** Checks that a match could end so, then. */
  private checkEnd(m: Standing, status: bigint): void {
    const isLate = this.time > m.deadline;
    if (this.isOverByGame(m)) return;
    const { P1Win, P2Win, P1Canceled, P1WinInactive, P2WinInactive, P1Deposited, AllDeposited, AllJoined } = Status;
    if (status === P1Canceled) {
      this.check("the status before it", m.status <= P1Deposited, "0 or 1", m.status);
      this.check("the offer", !m.isFirm || isLate, "a soft or lapsed one", `a firm one until ${m.deadline}`);
    } else if (status === P1Win || status === P2Win) {
      this.same("the status before it", AllJoined, m.status);
      this.checkInTime(m);
    } else {
      const waiting = m.status === AllDeposited ? Seat.Two : m.status === AllJoined ? m.turn : Seat.None;
      const winner = waiting === undefined ? status : waiting === Seat.One ? P2WinInactive : P1WinInactive;
      this.check("the status before it", waiting !== Seat.None, "2 or 3", m.status);
      this.same("status", winner, status);
      this.check("the time", m.isVague || isLate, `after ${m.deadline}`, this.time);
    }
  }

  /** Whether the game has ended the match; of one of which nobody can tell, if this belongs to its last action. */
  private isOverByGame({ status, turn, matchId }: Standing): boolean {
    if (turn !== undefined) return status === Status.AllJoined && turn === Seat.None;
    return this.isNext("Acted", matchId) || this.isNext("Joined", matchId);
  }

  /** Checks what is paid in a match whose moves were not played again. */
  private checkPayment(m: Standing, { status, paid1, paid2, house }: Events["Settled"]): void {
    const funded = [...(m.status >= Status.P1Deposited ? [1n] : []), ...(m.status >= Status.AllDeposited ? [2n] : [])];
    const record = { terms: m.terms, funded: funded.map((seat) => ({ seat, player: "" })) };
    const winner = winnerBy(status);
    const takers = this.isOverByGame(m) ? [Seat.None, Seat.One, Seat.Two] : [undefined];
    const possible = takers.map((taker) =>
      expectedEnding(record, { status }, taker === undefined ? undefined : { winner, taker }),
    );
    const texts = possible.map((each) => (typeof each === "string" ? each : textOf(each)));
    const found = textOf({ paid1, paid2, house });
    this.check("what is paid", texts.includes(found), texts.join(" or "), found);
  }

  private checkDue(): void {
    const { due, event, last } = this;
    this.due = undefined;
    if (!due) return;
    const isMet = event.name === due.name && event.args.matchId === due.matchId;
    if (isMet && event.transaction === last?.transaction) return;
    const place = placeOf(event);
    const expected = `${due.name} of match ${due.matchId}, in the transaction before`;
    this.differ({ ...place, matchId: due.matchId, what: "the event", expected, found: describe(event) });
  }

  private checkInTime(m: Standing): void {
    this.check("the time", m.isVague || this.time <= m.deadline, `by ${m.deadline}`, this.time);
  }

  private checkPurse(player: string, token: string, needed: bigint): void {
    const balance = this.books.purse(player, token);
    this.check(`the purse of ${player}`, balance >= needed, `${needed} of ${token} at least`, balance);
  }

  private find(matchId: bigint): Standing | undefined {
    const found = this.matches.get(matchId);
    if (!found) this.check("the match", false, "one that was created", matchId);
    return found;
  }

  /** Whether tokens came in for this seat just before: by a transfer that takes it, or by a deposit of its own. */
  private mayBeTransfer(player: string, { token }: Terms, stake: bigint): boolean {
    const { last, event } = this;
    if (last?.name !== "Deposited" || last.transaction !== event.transaction || token === ZeroAddress) return false;
    return last.args.player === player && last.args.token === token && last.args.amount >= stake;
  }

  /** Whether the event before was this one, of the same match and transaction. */
  private isNext(name: "Funded" | "Acted" | "Joined", matchId: bigint): boolean {
    const { last, event } = this;
    return last?.name === name && last.args.matchId === matchId && last.transaction === event.transaction;
  }

  private same(what: string, expected: unknown, found: unknown): void {
    this.check(what, expected === found, expected, found);
  }

  private check(what: string, holds: boolean, expected: unknown, found: unknown): void {
    if (!holds) this.differ({ ...placeOf(this.event), what, expected: String(expected), found: String(found) });
  }

  private differ(difference: Difference): void {
    this.difference ??= difference;
  }
}

/** What is known of a match whose moves are not played again: whose turn it was shows when that seat acts, or lets its clock run out. */
export function seenCourse(archive: Archive, matchId: bigint): Course {
  const { Arena } = archive.addresses;
  const acted = archive.find(Arena, "Acted", { matchId }).map(({ args }) => args.seat);
  const [settled] = archive.find(Arena, "Settled", { matchId });
  const silent = { [String(Status.P1WinInactive)]: Seat.Two, [String(Status.P2WinInactive)]: Seat.One };
  return { turns: [...acted, settled && silent[String(settled.args.status)]], isKnown: false };
}

/** What the arena must answer of a match: two answers where events cannot tell; its status alone where nobody knows its turn. */
function keptOf(m: Standing): Omit<Expectation, "address"> {
  const { matchId, player1, deadline, reserve, status, turn, player2, termsId, isFirm: firm, byTransfer } = m;
  if (m.isVague) return { matchId, view: "statusOf", args: [matchId], answer: [status] };
  const match = { player1, deadline, reserve, status, turn, player2, termsId, firm };
  const answers = [byTransfer ?? false, byTransfer ?? true].map((each) => [{ ...match, byTransfer: each }]);
  return { matchId, view: "matchOf", args: [matchId], answer: answers[0], or: answers[1] };
}

function describe({ name, args }: AnyEvent): string {
  return "matchId" in args ? `${name} of match ${args.matchId}` : name;
}

function textOf({ paid1, paid2, house }: Payment): string {
  return `${paid1}, ${paid2} and ${house} to the house`;
}
