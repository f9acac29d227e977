import type { Calculator } from "../calculator.js";
import type { Simulation } from "./simulate.js";

/** Odds of two moves, which are more than one result where a coin or dice fall. */
export const calculator: Calculator = {
  reseed: (input, seed) => ({ ...input, seed }),
  measure: (output) => ({ ties: (output as Simulation).tie }),
};
