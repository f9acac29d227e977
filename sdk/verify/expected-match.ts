import { ZeroAddress } from "ethers";
import type { Events } from "../chain/events.js";
import { fingerprintOf } from "../protocol/offer.js";
import type { Hex } from "../protocol/hex.js";
import { otherSeat } from "../protocol/sides.js";
import { isForfeit, Seat, Status, winnerBy } from "../protocol/status.js";
import { INCREMENT_DIVISOR, OFFER_LIFE, type Terms } from "../protocol/terms.js";
import type { LocatedMismatch } from "../chain/mismatch.js";
import type { CheckedEvent } from "./checked-event.js";
import type { Expectation } from "./state.js";

/** Order of turns of a match, which the arena's events do not tell. */
export interface TurnOrder {
  /**
   * Seats in turn once player 2 has joined, and after each action: None when the game is over, undefined if nobody can
   * tell.
   */
  turns: readonly (bigint | undefined)[];
}

/** State of a match as the arena must have it: each event of the match is checked against the state and changes it. */
export class ExpectedMatch {
  readonly matchId: bigint;
  readonly player1: string;
  player2: string;
  status: bigint = Status.Created;
  /** Seat in turn; undefined if nobody can tell. */
  turn: bigint | undefined = Seat.None;
  /** Seconds since 1970. */
  deadline: bigint;
  /** Tells if seat 2 was taken by a transfer; undefined if events cannot tell. */
  byTransfer: boolean | undefined = false;
  /** Tells if there was a turn whose seat nobody can tell, so that clocks are unknown. */
  isVague = false;
  /** Tells if the offer is a firm one. */
  readonly isFirm: boolean;
  /** Tells if the offer names its opponent. */
  private readonly isNamed: boolean;
  private readonly fingerprint: Hex;
  private reserve = 0n;
  private fundedAt = 0n;
  /** Actions, which are checked only when the order of turns is known. */
  private readonly acted: CheckedEvent[] = [];

  /** Checks and applies that player 1 offers the match. */
  constructor(
    checked: CheckedEvent,
    readonly terms: Terms,
    private readonly termsId: bigint,
    { matchId, player1, opponent, firmUntil, funded, data }: Events["Created"],
  ) {
    const latest = checked.time + OFFER_LIFE;
    this.isFirm = firmUntil !== 0n;
    const isInBounds = !this.isFirm || (firmUntil > checked.time && firmUntil <= latest);
    checked.check("firmUntil", isInBounds, `after ${checked.time} and by ${latest}`, firmUntil);
    checked.check("the opponent", opponent !== player1, "another player", opponent);
    this.matchId = matchId;
    this.player1 = player1;
    this.player2 = opponent;
    this.isNamed = opponent !== ZeroAddress;
    this.fingerprint = fingerprintOf(data);
    if (funded) this.status = Status.P1Deposited;
    this.deadline = this.isFirm ? firmUntil : latest;
  }

  /** Checks and applies that a player takes a seat. */
  fund(checked: CheckedEvent, { seat, player }: Events["Funded"]): void {
    checked.check("the seat", seat === Seat.One || seat === Seat.Two, "1 or 2", seat);
    checked.checkEqual("the status before it", seat === Seat.One ? Status.Created : Status.P1Deposited, this.status);
    this.checkInTime(checked);
    this.status = seat === Seat.One ? Status.P1Deposited : Status.AllDeposited;
    if (seat === Seat.One) return checked.checkEqual("the player", this.player1, player);
    checked.check("the player", player !== this.player1, "not the challenger", player);
    if (this.isNamed) checked.checkEqual("the player", this.player2, player);
    this.player2 = player;
    this.fundedAt = checked.time;
    this.deadline = checked.time + this.terms.clock;
    this.byTransfer = mayBeTransfer(checked, player, this.terms) ? undefined : false;
  }

  /** Checks and applies that player 2 joins: in one step, as the opponent of a firm offer, or after it has funded. */
  join(checked: CheckedEvent, { player2 }: Events["Joined"]): void {
    if (this.status === Status.P1Deposited) {
      checked.check("the offer", this.isFirm && this.isNamed, "a firm one by name", "one to be funded before");
    } else {
      checked.checkEqual("the status before it", Status.AllDeposited, this.status);
      checked.check("the time", checked.time > this.fundedAt, `after ${this.fundedAt}`, checked.time);
    }
    checked.checkEqual("the player", this.player2, player2);
    this.checkInTime(checked);
    this.status = Status.AllJoined;
    this.deadline = checked.time + this.terms.clock;
    this.reserve = this.terms.clock;
  }

  /** Checks that the opponent whom an offer names can decline it; the settlement follows. */
  decline(checked: CheckedEvent, { opponent }: Events["Declined"]): void {
    checked.check("the status before it", this.status <= Status.P1Deposited, "0 or 1", this.status);
    checked.check("the offer", this.isNamed, "one that names its opponent", "one to anyone");
    checked.checkEqual("the opponent", this.player2, opponent);
    this.checkInTime(checked);
  }

  /** Checks the status of an action, and keeps the action until the order of turns is known. */
  act(checked: CheckedEvent): void {
    checked.checkEqual("the status before it", Status.AllJoined, this.status);
    this.acted.push(checked);
  }

  /**
   * Returns the order of turns of a match that is not replayed, as far as events show it: a seat was in turn if it
   * acted, or let its clock run out.
   */
  visibleTurnOrder(settled?: Events["Settled"]): TurnOrder {
    const acted = this.acted.map(actingSeat);
    return { turns: [...acted, settled && silentSeat(settled.status)] };
  }

  /**
   * Checks and applies all actions by the order of turns, from joining on.
   * @returns The mismatch of the first action that cannot have been.
   */
  applyActions({ turns }: TurnOrder): LocatedMismatch | undefined {
    if (this.status !== Status.AllJoined) return undefined;
    this.setTurn(turns[0]);
    for (const [i, checked] of this.acted.entries()) {
      const seat = actingSeat(checked);
      this.checkInTime(checked);
      checked.checkEqual("the seat", this.turn ?? seat, seat);
      this.setTurn(turns[i + 1]);
      if (this.turn !== undefined && this.turn !== Seat.None) this.punchClock(checked, this.turn !== seat);
    }
    return this.acted.find(({ mismatch }) => mismatch !== undefined)?.mismatch;
  }

  /** Tells if the game has ended the match; if nobody can tell, if the event comes with the match's last action. */
  isOver(checked: CheckedEvent): boolean {
    if (this.turn !== undefined) return this.status === Status.AllJoined && this.turn === Seat.None;
    return checked.followsAction(this.matchId);
  }

  /** Checks that the deadline has not passed at an event. */
  checkInTime(checked: CheckedEvent): void {
    checked.check("the time", this.isVague || checked.time <= this.deadline, `by ${this.deadline}`, checked.time);
  }

  /**
   * Returns the answer that the arena must give: one of two where events cannot tell, the status alone where nobody
   * knows the turn.
   */
  expectedAnswer(): Omit<Expectation, "address"> {
    const { matchId, player1, deadline, reserve, status, turn, player2, termsId, isFirm: firm } = this;
    if (this.isVague) return { matchId, view: "statusOf", args: [matchId], answer: [status] };
    const match = { player1, deadline, reserve, status, turn, player2, termsId, firm };
    const { byTransfer, fingerprint } = this;
    const answers = [byTransfer ?? false, byTransfer ?? true].map((each) => {
      return [{ ...match, byTransfer: each, fingerprint }];
    });
    return { matchId, view: "matchOf", args: [matchId], answer: answers[0], or: answers[1] };
  }

  private setTurn(turn: bigint | undefined): void {
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

function actingSeat({ event }: CheckedEvent): bigint {
  return (event.args as Events["Acted"]).seat;
}

/** Returns the seat that let its clock run out by a status; undefined if none did. */
function silentSeat(status: bigint): bigint | undefined {
  return isForfeit(status) ? otherSeat(winnerBy(status)) : undefined;
}

/** Tells if tokens came in for seat 2 just before: by a transfer that takes it, or by a deposit of its own. */
function mayBeTransfer({ last, event }: CheckedEvent, player: string, { token, stake2 }: Terms): boolean {
  if (last?.name !== "Deposited" || last.transaction !== event.transaction || token === ZeroAddress) return false;
  return last.args.player === player && last.args.token === token && last.args.amount >= stake2;
}
