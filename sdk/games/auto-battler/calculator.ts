import type { Calculator } from "../calculator.js";
import type { Simulation } from "./simulate.js";

/** Odds of a battle between two teams. */
export const calculator: Calculator = {
  reseed: (input, seed) => ({ ...input, seed }),
  measure(output) {
    const { rounds, hp, turns } = output as Simulation;
    const by = (player: number) => turns.filter(({ attacker }) => attacker === player);
    const damage = (player: number) => by(player).reduce((sum, { damageDealt }) => sum + damageDealt, 0);
    const living = (side: number) => hp[side].filter((each) => each > 0).length;
    return {
      rounds,
      attacks: turns.length,
      damage1: damage(1),
      damage2: damage(2),
      survivors1: living(0),
      survivors2: living(1),
      attacksFirst1: turns[0].attacker === 1,
    };
  },
};
