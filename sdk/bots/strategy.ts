import type { Source } from "./source.js";

/** How a computer opponent plays a game, without a chain: what it sees is all that it knows. */
export interface Strategy<View, Move> {
  /** A move; the same for the same view and the same chance. */
  choose(view: View, source: Source): Move;
}
