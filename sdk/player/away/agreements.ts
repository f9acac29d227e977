import { traitsOf } from "../../chain/traits.js";
import type { AwayAgreement, AwayAsk } from "../../protocol/away/messages.js";
import { AGREEMENT_SECONDS, NEVER } from "../../protocol/away/signatures.js";
import type { Hex } from "../../protocol/hex.js";
import { Seat } from "../../protocol/status.js";
import type { ChainState } from "./chain-view.js";
import type { AgreedResult, AwayStatus } from "./due.js";

/** Seconds before the end of the time away at which the newest state is posted: three days. */
export const POST_BEFORE = 3n * 86_400n;
/** Notes of the other player that are checked in one position. */
const MAX_NOTES = 128;
/** Agreements of the other player that are remembered. */
const MAX_AGREEMENTS = 16;
/** Seconds for which an agreement of the other player may hold: two minutes more than usual, as nodes differ in their time. */
const MAX_AGREEMENT_SECONDS = AGREEMENT_SECONDS + 120n;
/** Seconds for which an agreement has to hold still, so that what settles the match by it can be mined in time. */
const MIN_REST_TO_SETTLE = 120n;

/** Facts by which results are judged. */
export interface Standing {
  state: ChainState;
  /** Newest position that is known. */
  position?: { nonce: number; historyHash: Hex; winner?: bigint };
}

/** Proposals and agreements of both players in a match, as one of them sees them: what holds, is wanted and may be settled. */
export class Agreements {
  private readonly own: AwayAgreement[] = [];
  /** Agreements of the other seat, the last last. */
  private others: AwayAgreement[] = [];
  private ownAsk?: AwayAsk;
  private asked?: AwayAsk;
  /** Notes of the other player that were checked in a position. */
  private checked = { nonce: 0, count: 0 };

  /**
   * @param seat Own seat, as in `Seat`.
   * @param maySign True if the seat has something to sign with.
   * @param standing Returns how the match stands now.
   */
  constructor(
    private readonly seat: bigint,
    private readonly maySign: boolean,
    private readonly standing: () => Standing,
  ) {}

  /** Takes an agreement that the log has. */
  take(half: AwayAgreement): void {
    if (half.seat === this.seat) this.own.push(half);
    else if (!this.others.some(({ signature }) => signature === half.signature)) this.others.push(half);
  }

  /** Returns whether an agreement says for good that the own player has won. */
  isVictory({ winner, until }: AgreedResult): boolean {
    return winner === this.seat && until === NEVER;
  }

  /** Returns whether the other player has signed for good that the own one has won. */
  get isWon(): boolean {
    return this.others.some((each) => this.isVictory(each));
  }

  /** Takes the own proposal. */
  propose(ask: AwayAsk): void {
    this.ownAsk = ask;
  }

  /**
   * Returns whether a note is one too many to be checked in a position, which takes time: who signs any number of them is heard
   * no more in it. Own notes are as many as the own seat has signed.
   */
  isFull({ seat }: AwayAsk | AwayAgreement, nonce: number): boolean {
    if (seat === this.seat) return false;
    if (this.checked.nonce !== nonce) this.checked = { nonce, count: 0 };
    return this.checked.count >= MAX_NOTES;
  }

  /** Takes a note that was checked. @returns true if it is an own agreement that was not known */
  adopt(note: AwayAsk | AwayAgreement): boolean {
    if (note.seat !== this.seat) {
      this.checked.count++;
      if (note.type === "ask") this.asked = note;
      else this.remember(note);
      return false;
    }
    if (note.type === "agreement") return !this.isOwn(note);
    if (!this.ownAsk || note.nonce > this.ownAsk.nonce) this.ownAsk = note;
    return false;
  }

  /** Returns the own agreement to a result, if there is one. */
  ownHalf(result: AgreedResult): AwayAgreement | undefined {
    return this.own.find((each) => isSameResult(each, result));
  }

  /** Returns whether the seat has signed its own half of an agreement. */
  isOwn(result: AgreedResult): boolean {
    return this.ownHalf(result) !== undefined;
  }

  /** Returns the agreement of the other player that a caller has seen, if it still holds. */
  seen(result: AgreedResult): AwayAgreement | undefined {
    return this.others.find((each) => this.holds(each) && isSameResult(each, result));
  }

  /** Returns the agreement of the other player to a result in a position that still holds, if the seat may sign it too. */
  offered(winner: bigint, record: Hex): AwayAgreement | undefined {
    return this.others.find(
      (each) => this.holds(each) && each.winner === winner && each.record === record && !this.isTooLong(each),
    );
  }

  /** Returns the own agreement that still holds: the time of no block that was mined is behind it. */
  get ownNow(): AwayAgreement | undefined {
    const { record, time, blockTime } = this.standing().state;
    const now = traitsOf(record.chainId).minesOnDemand ? time : blockTime;
    return this.own.findLast(({ until }) => until >= now);
  }

  /**
   * Returns the agreement of the other player that still holds, to the present position, to the own victory, or to what
   * the own seat has signed too: one that the caller wants, if there is one.
   */
  get otherNow(): AwayAgreement | undefined {
    const record = this.standing().position?.historyHash;
    const holding = this.others.filter(
      (half) => this.holds(half) && (half.record === record || half.winner === this.seat || this.isOwn(half)),
    );
    const wanted = holding.filter((half) => this.isWelcome(half) && this.canSettle(half));
    return wanted.findLast(({ winner }) => winner === this.seat) ?? wanted.at(-1) ?? holding.at(-1);
  }

  /** Returns whether the match is to be settled by an agreement of the other player now. */
  isReady(half: AwayAgreement): boolean {
    return this.isWelcome(half) && this.isInTime(half) && this.canSettle(half);
  }

  /** Returns whether nothing is lost while the other player is waited for to settle by the own half of an agreement. */
  leavesTime({ winner, until }: AwayAgreement): boolean {
    const { turn } = this.standing().state;
    // A draw for good would take all of the time away, and then be unrated.
    if (turn === Seat.Either) return winner !== this.seat && !(winner === Seat.None && until === NEVER);
    // One that holds for ever would take all of the own clock.
    return turn === this.seat && until !== NEVER;
  }

  /** Returns whether an agreement to what the game has not led to would keep a result in reserve for the other player. */
  isTooLong({ winner, until, record }: AgreedResult): boolean {
    const { position, state } = this.standing();
    const isGames = position?.winner === winner && position.historyHash === record;
    return winner !== this.seat && !isGames && until > state.time + MAX_AGREEMENT_SECONDS;
  }

  /** Returns the own notes of the present position, which a transport has to have. */
  get toSpread(): (AwayAsk | AwayAgreement)[] {
    const nonce = this.standing().position?.nonce;
    return [this.ownAsk, this.own.at(-1)].filter((note) => note !== undefined).filter((note) => note.nonce === nonce);
  }

  /** Returns what a status tells of proposals and agreements in the position of a nonce. */
  statusIn(nonce: number): Pick<AwayStatus, "asked" | "ownAsk" | "agreed" | "ownAgreed"> {
    const { asked, ownAsk, otherNow: agreed, ownNow: ownAgreed } = this;
    return {
      ...(asked?.nonce === nonce && { asked }),
      ...(ownAsk?.nonce === nonce && { ownAsk }),
      ...(agreed && { agreed }),
      ...(ownAgreed && { ownAgreed }),
    };
  }

  /** Remembers an agreement of the other player: of each result the one that holds longest, and the useful ones first. */
  private remember(half: AwayAgreement): void {
    const isSame = (each: AwayAgreement) =>
      each.winner === half.winner && each.record === half.record && this.isTooLong(each) === this.isTooLong(half);
    if (this.others.some((each) => isSame(each) && each.until >= half.until)) return;
    // What both have signed settles the match, whatever the other player signs later.
    const signed = this.others.filter((each) => this.isOwn(each));
    const rest = this.others.filter((each) => !this.isOwn(each) && !isSame(each));
    const record = this.standing().position?.historyHash;
    const useless = rest.findIndex((each) => each.record !== record && each.until !== NEVER);
    if (rest.length >= MAX_AGREEMENTS) rest.splice(Math.max(useless, 0), 1);
    this.others = [...signed, ...rest, half];
  }

  private holds({ until }: AwayAgreement): boolean {
    return until >= this.standing().state.time;
  }

  /** Returns whether the caller has wanted the result of an agreement before, or wins by it. */
  private isWelcome(half: AwayAgreement): boolean {
    const { winner, record } = half;
    const { position } = this.standing();
    if (winner === this.seat || this.isOwn(half)) return true;
    if (record !== position?.historyHash) return false;
    // The nonce of an agreement is not signed, so that only the own position tells whether the proposal was of it.
    return position.winner === winner || (this.ownAsk?.winner === winner && this.ownAsk.nonce === position.nonce);
  }

  /** Returns whether the seat has signed its own half of an agreement, or may sign it now. */
  private canSettle(half: AwayAgreement): boolean {
    return this.isOwn(half) || (this.maySign && this.ownNow === undefined && !this.isTooLong(half));
  }

  /**
   * Returns whether an agreement holds long enough to be mined. Where the time away ends soon, only one that holds for ever does:
   * else a series of short ones would keep the seat from posting.
   */
  private isInTime({ until }: AwayAgreement): boolean {
    const { time, turn, deadline } = this.standing().state;
    if (turn === Seat.Either && time >= deadline - POST_BEFORE) return until === NEVER;
    return until - time >= MIN_REST_TO_SETTLE;
  }
}

function isSameResult(one: AgreedResult, other: AgreedResult): boolean {
  return one.winner === other.winner && one.until === other.until && one.record === other.record;
}
