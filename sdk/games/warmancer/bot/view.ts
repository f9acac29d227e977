import { legalMoves, STUCK, type Move } from "../legal-moves.js";
import type { Mode } from "../mode.js";
import type { Position } from "../position.js";
import type { Source } from "../../../bots/source.js";
import type { Strategy } from "../../../bots/strategy.js";
import { pick } from "../../../bots/source.js";

/** What a player of Warmancer sees when it is to find a move. */
export interface WarmancerView {
  mode: Mode;
  /**
   * The board at the beginning of the turn, as `Player` foresees it. Of the other's ranks it has the recorded ones
   * only.
   */
  board: Position;
  /** 0 or 1, the player's own. */
  side: number;
  /** Ranks and 1 by side and slot, 0 where the player does not know one: `Player.sight`. */
  known: readonly [Uint8Array, Uint8Array];
}

/** Finds moves of Warmancer; STUCK where there is none. */
export type WarmancerStrategy = Strategy<WarmancerView, Move>;

/** Moves of a side that a view allows. */
export function movesIn({ board, side, known }: WarmancerView): Move[] {
  return legalMoves(board, side, known[side]);
}

/** Moves anything anywhere. */
export const randomWarmancer: WarmancerStrategy = {
  choose(view: WarmancerView, source: Source): Move {
    const legal = movesIn(view);
    return legal.length === 0 ? STUCK : pick(legal, source);
  },
};
