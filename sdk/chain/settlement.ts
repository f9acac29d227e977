import type { MatchRecord, Replayed, Settlement } from "./record.js";
import { isForfeit, Seat, Status, winnerBy } from "../protocol/status.js";
import { BPS, type Terms } from "../protocol/terms.js";

/** Amounts that the players and the house receive from both stakes. */
export type Payment = Pick<Settlement, "paid1" | "paid2" | "house">;

/** How a match ended. */
export interface End {
  /** Seat of the winner; None for a draw. */
  readonly winner: bigint;
  /** Seat that takes the pot; None if each player gets its stake back. */
  readonly taker: bigint;
  /** True if the loser let the clock run out, or the game refused its action; defaults to false. */
  readonly forfeit?: boolean;
}

/** A settlement without the ratings. */
export type Ending = Payment & Pick<Settlement, "status">;

/**
 * Computes the expected settlement of a match. If the game has no result, a win is a resignation.
 * @param result Result of the game, if the game ended the match.
 * @returns The ending; a sentence without its full stop if the match cannot be settled with this status.
 */
export function expectedEnding(
  { terms, funded }: Pick<MatchRecord, "terms" | "funded">,
  { status }: Pick<Settlement, "status">,
  result: Replayed["result"],
): Ending | string {
  const isFunded = (seat: bigint) => funded.some((each) => each.seat === seat);
  if (status !== Status.P1Canceled && !(isFunded(Seat.One) && isFunded(Seat.Two))) {
    return `status ${status}, but the stakes were not both taken`;
  }
  if (result) return endingFor(result, terms);
  if (status === Status.P1Canceled) {
    return { status, paid1: isFunded(Seat.One) ? terms.stake1 : 0n, paid2: 0n, house: 0n };
  }
  const winner = winnerBy(status);
  if (winner === Seat.None) return `status ${status}, but the game did not end`;
  return endingFor({ winner, taker: winner, forfeit: isForfeit(status) }, terms);
}

/** Computes the status of an ended match, and how the players and the house share the pot. */
export function endingFor(end: End, terms: Terms): Ending {
  return { status: statusFor(end), ...split(terms, end) };
}

/** Returns the status of an ended match. */
export function statusFor({ winner, forfeit }: Pick<End, "winner" | "forfeit">): bigint {
  if (winner === Seat.None) return Status.Draw;
  if (forfeit) return winner === Seat.One ? Status.P1WinInactive : Status.P2WinInactive;
  return winner === Seat.One ? Status.P1Win : Status.P2Win;
}

/** Splits the pot. The house takes no fee from a forfeited pot, or if each player gets its stake back. */
function split({ stake1, stake2, feeBps }: Terms, { taker, forfeit }: End): Payment {
  if (taker === Seat.None) return { paid1: stake1, paid2: stake2, house: 0n };
  const pot = stake1 + stake2;
  const house = forfeit ? 0n : (pot * feeBps) / BPS;
  return taker === Seat.One ? { paid1: pot - house, paid2: 0n, house } : { paid1: 0n, paid2: pot - house, house };
}
