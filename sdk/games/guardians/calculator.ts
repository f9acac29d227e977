import { ZeroHash } from "ethers";
import type { CardStats } from "./cards.js";
import { measureSides, type Calculator, type Expectation } from "../calculator.js";
import { damageOf, relationOf } from "./engine.js";
import { readInput, type Simulation } from "./simulate.js";

const CHANCES = 1000;

/** Odds of a battle between two teams, and the expected result of each card's attack on each other. */
export const calculator: Calculator = {
  reseed: (input, seed) => ({ ...input, seed }),
  measure(output) {
    const { hp, turns } = output as Simulation;
    return { turns: turns.length, ...measureSides(hp, turns) };
  },
  expectations(input) {
    // Seeds have no effect on the odds, so the input may omit them.
    const { mode, teams } = readInput({ ...(input as object), seed: ZeroHash });
    return [0, 1].flatMap((side) =>
      teams[side].flatMap((attacker, attackerSlot) =>
        teams[1 - side].map((defender, defenderSlot) => ({
          side,
          attackerSlot,
          defenderSlot,
          ...expectationOf(attacker, defender, mode.dodgeCap),
        })),
      ),
    );
  },
};

/** Computes the average result of an attack, with the damage floored as in battle. */
function expectationOf(
  attacker: CardStats,
  defender: CardStats,
  dodgeCap: number,
): Omit<Expectation, "side" | "attackerSlot" | "defenderSlot"> {
  const { power, critical } = attacker;
  const hit = (isCritical: boolean) =>
    damageOf(power, defender.defense, isCritical, relationOf(attacker.type, defender.type));
  const damagePerHit = (hit(false) * (CHANCES - critical) + hit(true) * critical) / CHANCES;
  const dodgeChance = Math.min(defender.luck, dodgeCap) / CHANCES;
  const damagePerAttack = damagePerHit * (1 - dodgeChance);
  return {
    damagePerHit,
    dodgeChance,
    damagePerAttack,
    attacksToDefeat: damagePerAttack === 0 ? null : defender.hp / damagePerAttack,
  };
}
