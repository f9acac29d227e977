import type { MatchRecord, Replayed, Settlement } from "./record.js";
import { isForfeit, Seat, Status, winnerBy } from "../protocol/status.js";
import { BPS, type Terms } from "../protocol/terms.js";

/** Amounts of both stakes that the players and the house receive. */
export type Payment = Pick<Settlement, "paid1" | "paid2" | "house">;

/** A settlement without the ratings. */
export type Ending = Payment & Pick<Settlement, "status">;

/**
 * Computes the expected settlement of a match. A win without a result of the game is a resignation.
 * @param result Result of the game, if the game ended the match.
 * @returns A sentence without its end if the match cannot be settled with this status.
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
  if (result) return { status: statusFor(result.winner), ...split(terms, result.taker, terms.feeBps) };
  if (status === Status.P1Canceled) {
    return { status, paid1: isFunded(Seat.One) ? terms.stake1 : 0n, paid2: 0n, house: 0n };
  }
  const winner = winnerBy(status);
  if (winner === Seat.None) return `status ${status}, but the game did not end`;
  return { status, ...split(terms, winner, isForfeit(status) ? 0n : terms.feeBps) };
}

/** Returns the status of a match that its game has ended. @param winner Seat of the winner; None for a draw. */
export function statusFor(winner: bigint): bigint {
  if (winner === Seat.None) return Status.Draw;
  return winner === Seat.One ? Status.P1Win : Status.P2Win;
}

/**
 * Splits the pot of a match.
 * @param taker Seat that takes the pot; None if each player gets its stake back.
 * @param feeBps House fee of a pot that is taken, in basis points.
 */
export function split({ stake1, stake2 }: Terms, taker: bigint, feeBps: bigint): Payment {
  if (taker === Seat.None) return { paid1: stake1, paid2: stake2, house: 0n };
  const pot = stake1 + stake2;
  const house = (pot * feeBps) / BPS;
  return taker === Seat.One ? { paid1: pot - house, paid2: 0n, house } : { paid1: 0n, paid2: pot - house, house };
}
