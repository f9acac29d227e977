import { autoBattler } from "./auto-battler/index.js";
import { guardians } from "./guardians/index.js";
import { warmancer } from "./warmancer/index.js";
import { ticTacToe } from "./tic-tac-toe/index.js";
import { miniGames } from "./mini-games/index.js";
import { gameNamed } from "./list.js";
import type { GameModule } from "./module.js";
import { pistolsGame } from "./pistols/index.js";

/** The stock games; add a line here for each new game. */
export const games: readonly GameModule[] = [autoBattler, guardians, miniGames, pistolsGame, ticTacToe, warmancer];

/**
 * Returns the stock game with a name.
 * @throws InputError that lists the names of all games.
 * @example
 * ```ts
 * import { stockGame } from "duello";
 *
 * stockGame("pistols").title; // => "Pistols"
 * stockGame("chess"); // throws InputError: chess: no such game; there are …
 * ```
 */
export function stockGame(name: string): GameModule {
  return gameNamed(name, games);
}
