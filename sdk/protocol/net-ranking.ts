/** Rated matches between two players of a game, seen from one of them, the lower. */
export interface PairCounts {
  winsLow: number;
  winsHigh: number;
  draws: number;
}

/** Different opponents that both players of a pair must have met for it to count. */
export const MIN_OPPONENTS = 3;

/** Points of a pair whose one player has won all matches, in millionths of a point. */
const POINT = 1_000_000n;

/**
 * Computes the points, in millionths, that the lower player of a pair has of it in the zero-sum ranking; the higher one
 * has as many below zero. They are the share of its wins less that of its losses: however often two players meet, one
 * gains a point at most, and the other loses it.
 */
export function pairPoints({ winsLow, winsHigh, draws }: PairCounts): bigint {
  return (POINT * BigInt(winsLow - winsHigh)) / BigInt(winsLow + winsHigh + draws);
}
