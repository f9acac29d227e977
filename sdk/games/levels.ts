import { cryptoSource } from "../bots/source.js";
import type { Hex } from "../protocol/hex.js";
import { strategyOf, type Chooser } from "./assessment.js";
import type { GameModule } from "./module.js";

/** Percentage of turns in which the computer plays any legal move instead of a good one, by level. */
const CARELESS = { easy: 75, usual: 25, hard: 0 } as const;

/** Level at which the computer plays against a person who practises. */
export type Level = keyof typeof CARELESS;

/** All levels, weakest first. */
export const LEVELS = Object.keys(CARELESS) as readonly Level[];

/**
 * Returns whether the computer plays better at a higher level in a mode, given its content.
 * @example
 * ```ts
 * import { hasLevels, stockGame } from "duello";
 *
 * hasLevels(stockGame("pistols"), "0x"); // => true
 * hasLevels(stockGame("mini-games"), "0x0301"); // => false
 * ```
 */
export function hasLevels({ bot }: Pick<GameModule, "bot">, mode: Hex): boolean {
  return bot !== undefined && !bot.isLuck?.(mode);
}

/** Returns the computer's strategy for a game at a level; `hard` is the full strategy. */
export function strategyAt(level: Level, game: Pick<GameModule, "bot" | "moves">): Chooser {
  const strategy = strategyOf(game);
  return (turn, secretStore) =>
    cryptoSource.below(100) < CARELESS[level] ? game.moves.suggest(turn, secretStore) : strategy(turn, secretStore);
}
