import { measureSides, type Calculator } from "../calculator.js";
import type { Simulation } from "./simulate.js";

/** Odds of a battle between two teams. */
export const calculator: Calculator = {
  reseed: (input, seed) => ({ ...input, seed }),
  measure(output) {
    const { rounds, hp, turns } = output as Simulation;
    return {
      rounds,
      attacks: turns.length,
      ...measureSides(hp, turns),
      attacksFirst1: turns[0].attacker === 1,
    };
  },
};
