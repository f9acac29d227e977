import { facts as autoBattler } from "./auto-battler/facts.js";
import { facts as guardians } from "./guardians/facts.js";
import { gameNamed } from "./list.js";
import { facts as miniGames } from "./mini-games/facts.js";
import type { GameFacts, GameModule } from "./module.js";
import { facts as pistols } from "./pistols/facts.js";
import { facts as ticTacToe } from "./tic-tac-toe/facts.js";
import { facts as warmancer } from "./warmancer/facts.js";

export { impliedMode, modeAgainstProgram } from "./module.js";

/** Game of the catalogue, whose code is loaded on demand. */
export interface CatalogueGame extends GameFacts {
  /** Loads the module of the game. */
  load(): Promise<GameModule>;
}

/** The stock games without their engines, in the order of `games`; add a line here for each new game. */
export const catalogue: readonly CatalogueGame[] = [
  { ...autoBattler, load: async () => (await import("./auto-battler/index.js")).autoBattler },
  { ...guardians, load: async () => (await import("./guardians/index.js")).guardians },
  { ...miniGames, load: async () => (await import("./mini-games/index.js")).miniGames },
  { ...pistols, load: async () => (await import("./pistols/index.js")).pistolsGame },
  { ...ticTacToe, load: async () => (await import("./tic-tac-toe/index.js")).ticTacToe },
  { ...warmancer, load: async () => (await import("./warmancer/index.js")).warmancer },
];

/**
 * Loads the module of a single stock game by its name.
 * @throws InputError that lists the names of all games
 * @example
 * ```ts
 * import { load } from "duello/catalogue";
 *
 * const pistols = await load("pistols");
 * pistols.title; // => "Pistols"
 * ```
 */
export async function load(name: string): Promise<GameModule> {
  return gameNamed(name, catalogue).load();
}
