/** Pair of values by side: player 1's first. */
export type Pair<T> = readonly [T, T];

/** Move of round 2: the actions of its two slots, 0..6 as in `ACTIONS`. */
export type Blades = Pair<number>;

/** Names of the actions 0..6 that a slot of round 2 can have. */
export const ACTIONS = ["idle", "light", "heavy", "block", "flee", "steal", "seppuku"] as const;

export const [IDLE, LIGHT, HEAVY, BLOCK, FLEE, STEAL, SEPPUKU] = [0, 1, 2, 3, 4, 5, 6];
/** Maximum number of paces; the minimum is 1. */
export const MAX_PACES = 10;

/** All thirteen moves of round 2. */
export const ALL_BLADES: readonly Blades[] = [
  ...[IDLE, LIGHT, BLOCK].flatMap((first) => [IDLE, LIGHT, BLOCK].map((second): Blades => [first, second])),
  [IDLE, HEAVY],
  [FLEE, IDLE],
  [STEAL, IDLE],
  [SEPPUKU, IDLE],
];

/**
 * Returns whether two actions are one of the thirteen moves of round 2.
 * @example
 * ```ts
 * import { areBlades } from "duello/games/pistols";
 *
 * areBlades([1, 3]); // => true
 * areBlades([2, 1]); // => false
 * ```
 */
export function areBlades([first, second]: Blades): boolean {
  return ALL_BLADES.some((each) => each[0] === first && each[1] === second);
}
