import type { Position } from "../position.js";
import { battle, RANKS } from "../ranks.js";
import { Belief, KINDS } from "./belief.js";

/** Probabilities of the results of a battle, from one pawn's point of view. */
export interface BattleOdds {
  readonly win: number;
  /** Both pawns fall. */
  readonly both: number;
  readonly lose: number;
}

/**
 * Returns the odds of a battle with an enemy pawn, by counting the ranks that it may still have.
 * @param rank Rank of the pawn whose odds are computed.
 * @param other Side and slot of the other pawn.
 * @param known Codes of the other side's ranks (rank + 1) by slot, 0 for hidden ones.
 * @example
 * ```ts
 * import { battleOdds } from "duello/games/warmancer";
 *
 * const { win, lose } = battleOdds(position, 9, { side: 1, slot: 12 }, position.sides[1].ranks);
 * console.log(`The champion wins with ${Math.round(win * 100)} %.`);
 * ```
 */
export function battleOdds(
  board: Position,
  rank: number,
  other: { side: number; slot: number },
  known: Uint8Array,
): BattleOdds {
  const { odds } = new Belief(board, other.side, known);
  const sums = [0, 0, 0];
  for (const against of RANKS.keys()) sums[battle(rank, against)] += odds[other.slot * KINDS + against];
  return { both: sums[0], win: sums[1], lose: sums[2] };
}
