import { toBeHex } from "ethers";
import { unpackCode } from "../chain/channels.js";
import type { Events } from "../chain/events.js";
import { MatchState } from "../chain/match-state.js";
import type { LocatedMismatch } from "../chain/mismatch.js";
import { decodeActions } from "../protocol/channels/actions.js";
import type { Hex } from "../protocol/hex.js";
import { FINGERPRINT_BYTES } from "../protocol/offer.js";
import { otherSeat } from "../protocol/sides.js";
import { Seat, Status } from "../protocol/status.js";
import { OFFER_LIFE, termsHash, type Terms } from "../protocol/terms.js";
import type { CheckedEvent } from "./checked-event.js";
import type { Expectation } from "./state.js";

/** Order of turns of a match, which the arena's events do not contain. */
export interface TurnOrder {
  /**
   * Seats in turn once player 2 has joined, and after each action: None when the game is over, undefined if unknown.
   */
  turns: readonly (bigint | undefined)[];
}

/** Expected state of a match in the arena: each event of the match is checked against this state, then changes it. */
export class ExpectedMatch extends MatchState {
  /** Actions, which are checked only when the order of turns is known. */
  private readonly acted: CheckedEvent[] = [];
  /** First turn and fingerprint of a channel match; the fingerprint is undefined if events do not determine it. */
  private posted?: { turn: bigint; fingerprint?: Hex };

  /** Checks and applies the offer of player 1. */
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

  /** Creates the match that a channel submitted to the arena: both players are seated, and both clocks are full. */
  static started(
    checked: CheckedEvent,
    terms: Terms,
    { matchId, player1, player2, termsId, turn }: Events["Started"],
    { code: packed, actions }: Events["Challenged"],
  ): ExpectedMatch {
    const offer = { matchId, player1, opponent: player2, termsHash: termsHash(terms), firmUntil: 0n, funded: true };
    const match = new ExpectedMatch(checked, terms, termsId, { ...offer, data: "0x" });
    const { swapped, turn: base } = unpackCode(packed);
    // Events do not contain the number of messages before a base.
    const mover = otherSeat(turn);
    const code = 4 * decodeActions(actions).length + 2 * Number(mover === Seat.Two) + Number(swapped);
    match.posted = { turn, fingerprint: base === Seat.None ? toBeHex(code, FINGERPRINT_BYTES) : undefined };
    match.applyJoined(checked.time);
    return match;
  }

  /** Checks that the channel could withdraw the match from the arena. */
  takeBack(checked: CheckedEvent): void {
    checked.check("the match", this.isPosted, "one that waits for its first action", this.matchId);
    this.checkInTime(checked);
  }

  /** True while the match waits for its first action after a channel submitted it. */
  get isPosted(): boolean {
    return this.posted !== undefined && this.acted.length === 0 && this.status === Status.AllJoined;
  }

  /** Checks and applies the funding of a seat. */
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

  /** Checks and applies player 2's join: in one step, as the opponent of a firm offer, or after funding the seat. */
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

  /** Checks that the named opponent of an offer can decline it; the settlement is the next event. */
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
   * Checks and applies all actions since the join, in the known order of turns.
   * @returns The mismatch of the first impossible action.
   */
  applyActions({ turns }: TurnOrder): LocatedMismatch | undefined {
    if (this.status !== Status.AllJoined) return undefined;
    this.applyFirstTurn(this.posted?.turn ?? turns[0]);
    for (const [i, checked] of this.acted.entries()) {
      const seat = actingSeat(checked);
      this.checkInTime(checked);
      checked.checkEqual("the seat", this.turn ?? seat, seat);
      this.applyActed(seat, checked.time, turns[i + 1]);
    }
    return this.acted.find(({ mismatch }) => mismatch !== undefined)?.mismatch;
  }

  /** Returns whether the game has ended the match; if unknown, whether the event follows the match's last action. */
  isOver(checked: CheckedEvent): boolean {
    if (this.turn !== undefined) return this.status === Status.AllJoined && this.turn === Seat.None;
    return checked.followsAction(this.matchId);
  }

  /** Checks that the deadline had not passed when an event occurred. */
  checkInTime(checked: CheckedEvent): void {
    checked.check("the time", this.isVague || checked.time <= this.deadline, `by ${this.deadline}`, checked.time);
  }

  /**
   * Returns the arena's expected answer: two possible answers if events do not determine it, or only the status if the
   * turn is unknown.
   */
  expectedAnswer(): Omit<Expectation, "address"> {
    const { matchId, player1, deadline, reserve, status, turn, player2, termsId, isFirm: firm } = this;
    if (this.isVague || (this.posted && this.posted.fingerprint === undefined))
      return { matchId, view: "statusOf", args: [matchId], answer: [status] };
    const match = { player1, deadline, reserve, status, turn, player2, termsId, firm };
    const { byTransfer, isPosted: posted } = this;
    const { fingerprint } = this.posted ?? this;
    const answers = [byTransfer ?? false, byTransfer ?? true].map((each) => {
      return [{ ...match, byTransfer: each, fingerprint, posted }];
    });
    return { matchId, view: "matchOf", args: [matchId], answer: answers[0], or: answers[1] };
  }
}

function actingSeat({ event }: CheckedEvent): bigint {
  return (event.args as Events["Acted"]).seat;
}
