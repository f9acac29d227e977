import type { Events } from "../chain/events.js";
import { MatchState } from "../chain/match-state.js";
import type { LocatedMismatch } from "../chain/mismatch.js";
import { otherSeat } from "../protocol/sides.js";
import { isForfeit, Seat, Status, winnerBy } from "../protocol/status.js";
import { OFFER_LIFE, type Terms } from "../protocol/terms.js";
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
export class ExpectedMatch extends MatchState {
  /** Actions, which are checked only when the order of turns is known. */
  private readonly acted: CheckedEvent[] = [];

  /** Checks and applies that player 1 offers the match. */
  constructor(
    checked: CheckedEvent,
    terms: Terms,
    private readonly termsId: bigint,
    created: Events["Created"],
  ) {
    super(terms, created, checked.time);
    const { opponent, firmUntil } = created;
    const latest = checked.time + OFFER_LIFE;
    const isInBounds = !this.isFirm || (firmUntil > checked.time && firmUntil <= latest);
    checked.check("firmUntil", isInBounds, `after ${checked.time} and by ${latest}`, firmUntil);
    checked.check("the opponent", opponent !== this.player1, "another player", opponent);
  }

  /** Checks and applies that a player takes a seat. */
  fund(checked: CheckedEvent, { seat, player }: Events["Funded"]): void {
    checked.check("the seat", seat === Seat.One || seat === Seat.Two, "1 or 2", seat);
    checked.checkEqual("the status before it", seat === Seat.One ? Status.Created : Status.P1Deposited, this.status);
    this.checkInTime(checked);
    if (seat === Seat.One) checked.checkEqual("the player", this.player1, player);
    else checked.check("the player", player !== this.player1, "not the challenger", player);
    if (seat !== Seat.One && this.isNamed) checked.checkEqual("the player", this.player2, player);
    const { event, time, last } = checked;
    this.applyFunded({ args: { seat, player }, transaction: event.transaction }, time, last);
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
    this.applyJoined(checked.time);
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
      this.applyActed(seat, checked.time, turns[i + 1]);
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
}

function actingSeat({ event }: CheckedEvent): bigint {
  return (event.args as Events["Acted"]).seat;
}

/** Returns the seat that let its clock run out by a status; undefined if none did. */
function silentSeat(status: bigint): bigint | undefined {
  return isForfeit(status) ? otherSeat(winnerBy(status)) : undefined;
}
