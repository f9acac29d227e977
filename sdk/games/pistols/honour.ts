/** Names of the archetypes 0..3. */
export const ARCHETYPES = ["none", "villainous", "trickster", "honourable"] as const;

export const VILLAINOUS = 1;
export const TRICKSTER = 2;
export const HONOURABLE = 3;

/** Duelist in a duel: its archetype, 0..3, and the strength of its bonuses, 0..100. */
export interface Duelist {
  archetype: number;
  strength: number;
}

/** Standing of a player according to its record: honour and level are 0..100. All zero before the first duel. */
export interface Standing extends Duelist {
  honour: number;
  level: number;
}

/** Record of a player's duels: their number, the sum of their duel honours, 0..100 each, and the last of them. */
export interface HonourRecord {
  duels: number;
  total: number;
  last: number;
}

/** Record of a player who has not fought yet. */
export const NO_DUELS: HonourRecord = { duels: 0, total: 0, last: 0 };

/**
 * Returns the record with one more duel.
 * @example
 * ```ts
 * import { withDuel } from "duello/games/pistols";
 *
 * withDuel({ duels: 4, total: 320, last: 90 }, 60); // => { duels: 5, total: 380, last: 60 }
 * ```
 */
export function withDuel({ duels, total }: HonourRecord, honour: number): HonourRecord {
  return { duels: duels + 1, total: total + honour, last: honour };
}

/**
 * Returns the standing for a record.
 * @example
 * ```ts
 * import { ARCHETYPES, standingOf } from "duello/games/pistols";
 *
 * standingOf({ duels: 4, total: 320, last: 90 }).archetype; // => ARCHETYPES.indexOf("honourable")
 * ```
 */
export function standingOf({ duels, total, last }: HonourRecord): Standing {
  if (duels === 0) return { honour: 0, archetype: 0, level: 0, strength: 0 };
  const honour = Math.floor(total / duels);
  const archetype = honour < 35 ? VILLAINOUS : honour < 75 ? TRICKSTER : HONOURABLE;
  const level = levelOf(archetype, honour, last);
  return { honour, archetype, level, strength: Math.min(level, 10 * duels) };
}

/** Returns the standing after duels of these honours, 0..100 each, oldest first. */
export function standingAfter(honours: readonly number[]): Standing {
  return standingOf(honours.reduce(withDuel, NO_DUELS));
}

function levelOf(archetype: number, honour: number, last: number): number {
  if (archetype === TRICKSTER) return 50 + Math.abs(last - 50);
  if (archetype === HONOURABLE) return 10 + Math.floor((90 * (honour - 75)) / 25);
  return honour <= 10 ? 100 : 100 - Math.floor((90 * (honour - 10)) / 24);
}
