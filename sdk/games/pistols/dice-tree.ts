import type { Fought } from "./engine.js";
import { decodeBlow } from "./log.js";
import type { Lanes } from "./strikes.js";

/** Possible outcome of a round or of a single blow, and its probability. */
export interface Outcome<F> {
  fought: F;
  chance: number;
}

/** Die that was rolled: all values from `value` to `max` lead to the same outcome. */
interface Die {
  word: number;
  lane: number;
  value: number;
  max: number;
}

const SIDES = 100;

/**
 * Returns all possible outcomes of a round of pistols, or of a blow. The engine plays the round once for each range of
 * values of a die that lead to the same outcome; the chances in its log determine these ranges, and depend only on the
 * dice rolled before.
 */
export function outcomesOf<F extends Pick<Fought, "entries">>(fight: (dice: (n: number) => Lanes) => F): Outcome<F>[] {
  const outcomes: Outcome<F>[] = [];
  const rolled: Die[] = [];
  const roll = (word: number, lane: number) => {
    const known = rolled.find((die) => die.word === word && die.lane === lane);
    if (known) return known.value - 1;
    rolled.push({ word, lane, value: 1, max: SIDES });
    return 0;
  };
  do {
    const fought = fight((word) => ({ lane: (lane) => roll(word, lane) }));
    const blows = fought.entries.map(decodeBlow);
    for (const die of rolled) {
      const blow = blows.find(({ slot, player }) => slot === die.word && player === 1 + (die.lane >> 1))!;
      const limits = die.lane % 2 === 0 ? [blow.critChance] : [blow.hitChance, blow.lethalChance];
      die.max = Math.min(SIDES, ...limits.filter((limit) => limit >= die.value));
    }
    outcomes.push({ fought, chance: rolled.reduce((part, { value, max }) => (part * (max + 1 - value)) / SIDES, 1) });
  } while (next(rolled));
  return outcomes;
}

/** Moves to the next range of the last die that has one left; returns false if no die has. */
function next(rolled: Die[]): boolean {
  while (rolled.at(-1)?.max === SIDES) rolled.pop();
  const last = rolled.at(-1);
  if (last) last.value = last.max + 1;
  return last !== undefined;
}
