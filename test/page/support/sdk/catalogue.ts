import { catalogue as stock, type CatalogueGame } from "../../../../sdk/games/catalogue.js";
import { gameNamed } from "../../../../sdk/games/list.js";
import type { GameModule } from "../../../../sdk/games/module.js";

export { impliedMode, modeAgainstProgram } from "../../../../sdk/games/catalogue.js";
export type { CatalogueGame };

/** Game that the page has no file for, loaded when it is needed as the others are. */
const sticks: CatalogueGame = {
  name: "sticks",
  title: "Sticks",
  contract: "Sticks",
  modes: { default: { content: "0x", odds: [1n, 1n] } },
  load: async () => (await import("../../../support/sticks.js")).sticks,
};

/** The stock games, and one more. */
export const catalogue: readonly CatalogueGame[] = [...stock, sticks];

/** Loads the module of a game by its name. */
export async function load(name: string): Promise<GameModule> {
  return gameNamed(name, catalogue).load();
}
