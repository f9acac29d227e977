import type { RandomSource } from "./source.js";

/** Strategy of a computer opponent. It does not read the chain, only its view. */
export interface Strategy<View, Move> {
  /** Chooses a move; equal views and equal random numbers give equal moves. */
  choose(view: View, source: RandomSource): Move;
}
