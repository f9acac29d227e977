import { keccak256 } from "ethers";
import { InputError } from "../../protocol/input.js";
import type { Calculator } from "../calculator.js";
import type { PistolsSimulation } from "./simulate.js";

/** Odds of a duel with given paces and blades. */
export const calculator: Calculator = {
  reseed(input, seed) {
    if ("honours" in input) throw new InputError("honours", "a record has no dice: it always comes to the same");
    return { ...input, seeds: [seed, keccak256(seed)] };
  },
  measure(output) {
    const { rounds, health, pot, honour } = output as PistolsSimulation;
    return {
      reachesBlades: rounds === 2,
      takesPot1: pot === 1,
      takesPot2: pot === 2,
      health1: health[0],
      health2: health[1],
      honour1: honour[0],
      honour2: honour[1],
    };
  },
};
