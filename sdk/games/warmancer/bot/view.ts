import { legalMoves, STUCK, type Move } from "../legal-moves.js";
import type { Mode } from "../mode.js";
import type { Position } from "../position.js";
import { type RandomSource, pick } from "../../../bots/source.js";
import type { Strategy } from "../../../bots/strategy.js";

/** View of a Warmancer player that must choose a move. */
export interface WarmancerView {
  mode: Mode;
  /**
   * Board at the beginning of the turn, as `Player` predicts it. It contains only the recorded ranks of the other
   * player.
   */
  board: Position;
  /** Side of the player, 0 or 1. */
  side: number;
  /** Codes of ranks (rank + 1) by side and slot, 0 for a rank unknown to the player: `Player.sight`. */
  known: readonly [Uint8Array, Uint8Array];
}

/** Chooses moves of Warmancer; STUCK if there is no legal move. */
export type WarmancerStrategy = Strategy<WarmancerView, Move>;

/**
 * Returns the legal moves in a view.
 * @example
 * ```ts
 * import { warmancerMovesIn } from "duello/bots";
 * import { moveText } from "duello/games/warmancer";
 *
 * for (const move of warmancerMovesIn(boardView)) console.log(moveText(move)); // e.g. "d4-d5"
 * ```
 */
export function movesIn({ board, side, known }: WarmancerView): Move[] {
  return legalMoves(board, side, known[side]);
}

/** Strategy that moves at random. */
export const randomWarmancer: WarmancerStrategy = {
  choose(view: WarmancerView, source: RandomSource): Move {
    const legal = movesIn(view);
    return legal.length === 0 ? STUCK : pick(legal, source);
  },
};
