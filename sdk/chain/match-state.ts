import { ZeroAddress } from "ethers";
import type { Hex } from "../protocol/hex.js";
import { fingerprintOf } from "../protocol/offer.js";
import { Seat, Status } from "../protocol/status.js";
import { INCREMENT_DIVISOR, offerDeadline, type Terms } from "../protocol/terms.js";
import type { AnyEvent, Events } from "./events.js";

/**
 * State of a match, computed from events as the arena computes it. The events are not checked.
 * @example
 * ```ts
 * import { MatchState, Status } from "duello";
 *
 * const [created] = archive.find(archive.addresses.Arena, "Created");
 * const state = new MatchState(record.terms, created.args, 1_893_456_000n);
 * state.applyJoined(1_893_456_060n);
 * state.status; // => Status.AllJoined
 * ```
 */
export class MatchState {
  readonly matchId: bigint;
  readonly player1: string;
  /** Player 2 or, before player 2 joins, the only address that may join; zero if anyone may. */
  player2: string;
  status: bigint = Status.Created;
  /** Seat in turn; undefined if unknown. */
  turn: bigint | undefined = Seat.None;
  /** Seconds since 1970. */
  deadline: bigint;
  /** Remaining seconds of the player who is not in turn. */
  reserve = 0n;
  /** True if seat 2 was taken by a transfer; undefined if events do not determine it. */
  byTransfer: boolean | undefined = false;
  /** True if the seat in an earlier turn was unknown, so that the clocks are unknown too. */
  isVague = false;
  /** True if the offer is a firm one. */
  readonly isFirm: boolean;
  /** True if the offer names its opponent. */
  readonly isNamed: boolean;
  readonly fingerprint: Hex;
  /** Time at which seat 2 was funded, in seconds since 1970. */
  protected fundedAt = 0n;

  /** Creates the state after player 1's offer. @param time Time of the block, in seconds since 1970. */
  constructor(
    readonly terms: Terms,
    { matchId, player1, opponent, firmUntil, funded, data }: Events["Created"],
    time: bigint,
  ) {
    this.matchId = matchId;
    this.player1 = player1;
    this.player2 = opponent;
    this.isNamed = opponent !== ZeroAddress;
    this.isFirm = firmUntil !== 0n;
    this.fingerprint = fingerprintOf(data);
    if (funded) this.status = Status.P1Deposited;
    this.deadline = offerDeadline(firmUntil, time);
  }

  /**
   * Applies the funding of a seat.
   * @param before The arena's previous event.
   */
  applyFunded({ args: { seat, player }, transaction }: FundedEvent, time: bigint, before?: AnyEvent): void {
    this.status = seat === Seat.One ? Status.P1Deposited : Status.AllDeposited;
    if (seat === Seat.One) return;
    this.player2 = player;
    this.fundedAt = time;
    this.deadline = time + this.terms.clock;
    this.byTransfer = this.mayBeTransfer(transaction, before) ? undefined : false;
  }

  /** Applies player 2's join. */
  applyJoined(time: bigint): void {
    this.status = Status.AllJoined;
    this.deadline = time + this.terms.clock;
    this.reserve = this.terms.clock;
  }

  /** Sets the first seat in turn once player 2 has joined; undefined if unknown. */
  applyFirstTurn(turn: bigint | undefined): void {
    this.setTurn(turn);
  }

  /** Applies an action of a player. @param next Seat in turn after the action: None if the game is over. */
  applyActed(seat: bigint, time: bigint, next: bigint | undefined): void {
    this.setTurn(next);
    if (next !== undefined && next !== Seat.None) this.punchClock(time, next !== seat);
  }

  /** Applies the end of the match. @returns True if the match counts for the ladder. */
  applySettled({ status, rating1, rating2 }: Pick<Events["Settled"], "status" | "rating1" | "rating2">): boolean {
    let isRated = this.terms.rated && status !== Status.P1Canceled;
    if (isRated && this.status === Status.AllDeposited) {
      // A match does not count if seat 2 was taken by a transfer, which is only the token's claim. The winner of a
      // match that counts has a rating above zero.
      this.byTransfer ??= rating1 === 0n && rating2 === 0n;
      isRated = !this.byTransfer;
    }
    this.status = status;
    this.turn = Seat.None;
    return isRated;
  }

  /** Sets the seat in turn; undefined if unknown. */
  private setTurn(turn: bigint | undefined): void {
    this.turn = turn;
    if (turn === undefined) this.isVague = true;
  }

  private punchClock(time: bigint, turnChanged: boolean): void {
    const { clock } = this.terms;
    const rest = this.deadline - time + clock / INCREMENT_DIVISOR;
    const left = rest < clock ? rest : clock;
    if (turnChanged) [this.deadline, this.reserve] = [time + this.reserve, left];
    else this.deadline = time + left;
  }

  /** Returns whether tokens for seat 2 arrived just before, by a transfer that takes the seat or by a deposit. */
  private mayBeTransfer(transaction: Hex, before?: AnyEvent): boolean {
    const { token, stake2 } = this.terms;
    if (before?.name !== "Deposited" || before.transaction !== transaction || token === ZeroAddress) return false;
    return before.args.player === this.player2 && before.args.token === token && before.args.amount >= stake2;
  }
}

/** The part of the event `Funded` that changes a match. */
interface FundedEvent {
  args: Pick<Events["Funded"], "seat" | "player">;
  transaction: Hex;
}

/** Facts that a match's events do not contain. */
export interface MatchContext {
  terms: Terms;
  /** Seats in turn, from the game's replay; undefined if unknown. */
  turns?: readonly (bigint | undefined)[];
  /** Returns the time of a block, in seconds since 1970. */
  timeOf(block: number): bigint;
  /** Returns the arena's previous event; undefined if there is none. */
  before(event: AnyEvent): AnyEvent | undefined;
}

/**
 * Computes the state of a match from its events in the arena, in the order of the chain.
 * @returns undefined for events that do not start with the match's creation.
 * @example
 * ```ts
 * import { foldMatch, Status } from "duello";
 *
 * const events = archive.all.filter((event) => "matchId" in event.args && event.name !== "Log");
 * const context = { terms: record.terms, timeOf: () => 1_893_456_000n, before: () => undefined };
 * foldMatch(events, context)?.status; // => Status.P1Win
 * ```
 */
export function foldMatch(
  events: readonly AnyEvent[],
  { terms, turns = [], timeOf, before }: MatchContext,
): MatchState | undefined {
  const [created, ...later] = events;
  if (created?.name !== "Created") return undefined;
  const state = new MatchState(terms, created.args, timeOf(created.block));
  let acted = 0;
  for (const event of later) {
    const time = timeOf(event.block);
    if (event.name === "Funded") state.applyFunded(event, time, before(event));
    if (event.name === "Joined") {
      state.applyJoined(time);
      state.applyFirstTurn(turns[0]);
    }
    if (event.name === "Acted") state.applyActed(event.args.seat, time, turns[++acted]);
    if (event.name === "Settled") state.applySettled(event.args);
  }
  return state;
}
