import { ZeroAddress } from "ethers";
import type { Events } from "../chain/events.js";
import { fingerprintOf } from "../protocol/offer.js";
import type { Hex } from "../protocol/hex.js";
import { Seat, Status } from "../protocol/status.js";
import { INCREMENT_DIVISOR, type Terms } from "../protocol/terms.js";
import type { LocatedMismatch } from "../chain/mismatch.js";
import type { CheckedEvent } from "./checked-event.js";
import type { Expectation } from "./state.js";

const OFFER_LIFE = 30n * 86_400n;

/** What is known of a match beside the arena's events. */
export interface TurnOrder {
  /**
   * Whose turn it is once player 2 has joined, and after each action; None when the game is over, undefined if nobody
   * can tell.
   */
  turns: readonly (bigint | undefined)[];
}

/** A match as the arena has it: what its events make of it, each checked against what was before. */
export class ExpectedMatch {
  readonly matchId: bigint;
  readonly player1: string;
  player2: string;
  status: bigint = Status.Created;
  /** As in `Seat`; undefined if nobody can tell. */
  turn: bigint | undefined = Seat.None;
  deadline: bigint;
  /** Whether seat 2 was taken by a transfer; undefined if events cannot tell. */
  byTransfer: boolean | undefined = false;
  /** Whether there was a turn of which nobody can tell whose it was. */
  isVague = false;
  readonly isFirm: boolean;
  /** Whether the offer names its opponent. */
  private readonly isNamed: boolean;
  private readonly fingerprint: Hex;
  private reserve = 0n;
  private fundedAt = 0n;
  /** The actions, which are looked at only once it is known whose turn it was. */
  private readonly acted: CheckedEvent[] = [];

  /** Player 1 offers it. */
  constructor(
    checked: CheckedEvent,
    readonly terms: Terms,
    private readonly termsId: bigint,
    { matchId, player1, opponent, firmUntil, funded, data }: Events["Created"],
  ) {
    const latest = checked.time + OFFER_LIFE;
    this.isFirm = firmUntil !== 0n;
    const isInBounds = !this.isFirm || (firmUntil > checked.time && firmUntil <= latest);
    checked.assert("firmUntil", isInBounds, `after ${checked.time} and by ${latest}`, firmUntil);
    checked.assert("the opponent", opponent !== player1, "another player", opponent);
    this.matchId = matchId;
    this.player1 = player1;
    this.player2 = opponent;
    this.isNamed = opponent !== ZeroAddress;
    this.fingerprint = fingerprintOf(data);
    if (funded) this.status = Status.P1Deposited;
    this.deadline = this.isFirm ? firmUntil : latest;
  }

  /** A player takes a seat. */
  fund(checked: CheckedEvent, { seat, player }: Events["Funded"]): void {
    checked.assert("the seat", seat === Seat.One || seat === Seat.Two, "1 or 2", seat);
    checked.equal("the status before it", seat === Seat.One ? Status.Created : Status.P1Deposited, this.status);
    this.checkInTime(checked);
    this.status = seat;
    if (seat === Seat.One) return checked.equal("the player", this.player1, player);
    checked.assert("the player", player !== this.player1, "not the challenger", player);
    if (this.isNamed) checked.equal("the player", this.player2, player);
    this.player2 = player;
    this.fundedAt = checked.time;
    this.deadline = checked.time + this.terms.clock;
    this.byTransfer = mayBeTransfer(checked, player, this.terms) ? undefined : false;
  }

  /** Player 2 joins: in one step, as the opponent of a firm offer, or after it has funded. */
  join(checked: CheckedEvent, { player2 }: Events["Joined"]): void {
    if (this.status === Status.P1Deposited) {
      checked.assert("the offer", this.isFirm && this.isNamed, "a firm one by name", "one to be funded before");
    } else {
      checked.equal("the status before it", Status.AllDeposited, this.status);
      checked.assert("the time", checked.time > this.fundedAt, `after ${this.fundedAt}`, checked.time);
    }
    checked.equal("the player", this.player2, player2);
    this.checkInTime(checked);
    this.status = Status.AllJoined;
    this.deadline = checked.time + this.terms.clock;
    this.reserve = this.terms.clock;
  }

  /** A seat acts. */
  act(checked: CheckedEvent): void {
    checked.equal("the status before it", Status.AllJoined, this.status);
    this.acted.push(checked);
  }

  /**
   * What is known of a match whose moves are not played again: whose turn it was shows when that seat acts, or lets its
   * clock run out.
   */
  visibleTurnOrder(settled?: Events["Settled"]): TurnOrder {
    const silent = { [String(Status.P1WinInactive)]: Seat.Two, [String(Status.P2WinInactive)]: Seat.One };
    const acted = this.acted.map(seatOf);
    return { turns: [...acted, settled && silent[String(settled.status)]] };
  }

  /** Gives the turn to whom the game has given it, from joining on. @returns the first action that cannot have been. */
  follow({ turns }: TurnOrder): LocatedMismatch | undefined {
    if (this.status !== Status.AllJoined) return undefined;
    this.give(turns[0]);
    for (const [i, checked] of this.acted.entries()) {
      const seat = seatOf(checked);
      this.checkInTime(checked);
      checked.equal("the seat", this.turn ?? seat, seat);
      this.give(turns[i + 1]);
      if (this.turn !== undefined && this.turn !== Seat.None) this.punchClock(checked, this.turn !== seat);
    }
    return this.acted.find(({ mismatch }) => mismatch !== undefined)?.mismatch;
  }

  /** Whether the game has ended the match; if nobody can tell, whether the event is part of its last action. */
  isOver(checked: CheckedEvent): boolean {
    if (this.turn !== undefined) return this.status === Status.AllJoined && this.turn === Seat.None;
    return checked.follows("Acted", this.matchId) || checked.follows("Joined", this.matchId);
  }

  /** Checks that the deadline has not passed. */
  checkInTime(checked: CheckedEvent): void {
    checked.assert("the time", this.isVague || checked.time <= this.deadline, `by ${this.deadline}`, checked.time);
  }

  /** What the arena must answer: two answers where events cannot tell; the status alone where nobody knows the turn. */
  expectedAnswers(): Omit<Expectation, "address"> {
    const { matchId, player1, deadline, reserve, status, turn, player2, termsId, isFirm: firm } = this;
    if (this.isVague) return { matchId, view: "statusOf", args: [matchId], answer: [status] };
    const match = { player1, deadline, reserve, status, turn, player2, termsId, firm };
    const { byTransfer, fingerprint } = this;
    const answers = [byTransfer ?? false, byTransfer ?? true].map((each) => {
      return [{ ...match, byTransfer: each, fingerprint }];
    });
    return { matchId, view: "matchOf", args: [matchId], answer: answers[0], or: answers[1] };
  }

  private give(turn: bigint | undefined): void {
    this.turn = turn;
    if (turn === undefined) this.isVague = true;
  }

  private punchClock({ time }: CheckedEvent, turnChanged: boolean): void {
    const { clock } = this.terms;
    const rest = this.deadline - time + clock / INCREMENT_DIVISOR;
    const left = rest < clock ? rest : clock;
    if (turnChanged) [this.deadline, this.reserve] = [time + this.reserve, left];
    else this.deadline = time + left;
  }
}

function seatOf({ event }: CheckedEvent): bigint {
  return (event.args as Events["Acted"]).seat;
}

/** Whether tokens came in for seat 2 just before: by a transfer that takes it, or by a deposit of its own. */
function mayBeTransfer({ last, event }: CheckedEvent, player: string, { token, stake2 }: Terms): boolean {
  if (last?.name !== "Deposited" || last.transaction !== event.transaction || token === ZeroAddress) return false;
  return last.args.player === player && last.args.token === token && last.args.amount >= stake2;
}
