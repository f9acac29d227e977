import type { SimulatedRound } from "../one-round.js";
import type { Played } from "./engine.js";

/** Output of a simulated game. */
export type Simulation = SimulatedRound<Summary>;

/** Game in the output of a simulation. */
export interface Summary {
  tie: boolean;
  /** Moves or rolls of both players. */
  values: number[];
  /** Side on which the coin fell; null if no coin is flipped. */
  flip: number | null;
}

/** Sums up the log of a game. */
export function summary([{ result, values, flip }]: readonly Played[]): Summary {
  return { tie: result === 0, values, flip };
}
