import { ZeroAddress } from "ethers";
import type { Events } from "../chain/events.js";
import { MatchState } from "../chain/match-state.js";
import type { LocatedMismatch } from "../chain/mismatch.js";
import { agreementRequest, digestOf, isSignedBy, signersOf, type AwayMatch } from "../protocol/away/signatures.js";
import { isPlayerSeat, mayAct } from "../protocol/sides.js";
import { Seat, Status } from "../protocol/status.js";
import { OFFER_LIFE, termsHash, type Terms } from "../protocol/terms.js";
import type { Agreed, Pledge } from "../chain/record.js";
import type { CheckedEvent } from "./checked-event.js";
import type { Expectation } from "./state.js";

/** Order of turns of a match, which the arena's events do not contain. */
export interface TurnOrder {
  /**
   * Seats in turn once player 2 has joined, and after each action: None when the game is over, undefined if unknown.
   */
  turns: readonly (bigint | undefined)[];
  /** True if the game's result is not known, because nobody has shown what players have accepted. */
  unshown?: boolean;
}

/** Expected state of a match in the arena: each event of the match is checked against it, then changes it. */
export class ExpectedMatch extends MatchState {
  /** Actions, which are checked only when the order of turns is known. */
  private readonly acted: CheckedEvent[] = [];
  /** Keys that the players have pledged. */
  readonly keys: Pledge[] = [];
  /** Result on which both players have agreed. */
  agreement?: Agreed;

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

  /** Checks and applies the taking of a seat. */
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

  /**
   * Checks and applies the joining of player 2: in one step, as the opponent of a firm offer, or after it has funded.
   */
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

  /** Checks and applies the pledge of a key. */
  pledge(checked: CheckedEvent, { seat, key }: Events["Pledged"]): void {
    checked.checkEqual("the status before it", Status.AllJoined, this.status);
    checked.check("the seat", isPlayerSeat(seat), "1 or 2", seat);
    checked.check("the key", key !== ZeroAddress, "not zero", key);
    const before = this.keys.find((pledge) => pledge.seat === seat)?.key;
    checked.check("the key", before === undefined, `none after ${before}`, key);
    this.keys.push({ seat, key });
  }

  /**
   * Checks that both players could agree on a result, and have signed it; the settlement follows.
   * @param place Chain and address of the arena.
   */
  agree(checked: CheckedEvent, args: Events["Agreed"], place: Pick<AwayMatch, "chainId" | "arena">): void {
    const { winner, until, signature1, signature2 } = args;
    checked.checkEqual("the status before it", Status.AllJoined, this.status);
    checked.check("the winner", winner !== Seat.Either, "0, 1 or 2", winner);
    checked.check("the time", checked.time <= until, `by ${until}`, checked.time);
    const { matchId, player1, player2, keys, terms } = this;
    const match = {
      ...place,
      game: terms.game,
      matchId,
      termsHash: termsHash(terms),
      players: [player1, player2] as const,
      keys,
    };
    const digest = digestOf(agreementRequest(place.chainId, place.arena, { ...args, termsHash: match.termsHash }));
    for (const [seat, signature] of [
      [Seat.One, signature1],
      [Seat.Two, signature2],
    ] as const) {
      const isSigned = isSignedBy(digest, signature, signersOf(match, seat));
      checked.check(`signature ${seat}`, isSigned, `one of player ${seat}`, signature);
    }
    this.agreement = args;
  }

  /** Checks the status of an action, and keeps the action until the order of turns is known. */
  act(checked: CheckedEvent): void {
    checked.checkEqual("the status before it", Status.AllJoined, this.status);
    this.acted.push(checked);
  }

  /**
   * Checks and applies all actions by the order of turns, from joining on.
   * @returns The mismatch of the first impossible action.
   */
  applyActions({ turns }: TurnOrder): LocatedMismatch | undefined {
    if (this.status !== Status.AllJoined) return undefined;
    this.applyFirstTurn(turns[0]);
    for (const [i, checked] of this.acted.entries()) {
      const seat = actingSeat(checked);
      this.checkInTime(checked);
      checked.check(
        "the seat",
        mayAct(seat, this.turn ?? seat),
        this.turn === Seat.Either ? "1 or 2" : this.turn,
        seat,
      );
      this.applyActed(seat, checked.time, turns[i + 1]);
    }
    return this.acted.find(({ mismatch }) => mismatch !== undefined)?.mismatch;
  }

  /** Returns whether the game has ended the match; if unknown, whether the event comes with the match's last action. */
  isOver(checked: CheckedEvent): boolean {
    if (this.turn !== undefined) return this.status === Status.AllJoined && this.turn === Seat.None;
    return checked.followsAction(this.matchId);
  }

  /** Checks that the deadline has not passed at an event. */
  checkInTime(checked: CheckedEvent): void {
    checked.check("the time", this.isVague || checked.time <= this.deadline, `by ${this.deadline}`, checked.time);
  }

  /**
   * Returns the arena's expected answer: one of two if events do not determine it, the status alone if the turn is
   * unknown.
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

  /** Returns the keys that the arena must report. */
  expectedKeys(): Omit<Expectation, "address">[] {
    const { matchId, keys } = this;
    return keys.map(({ seat, key }) => ({ matchId, view: "keyOf", args: [matchId, seat], answer: [key] }));
  }
}

function actingSeat({ event }: CheckedEvent): bigint {
  return (event.args as Events["Acted"]).seat;
}
