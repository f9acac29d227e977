import { gameNamed, type GameModule } from "duello";
import { catalogue as stock, type CatalogueGame } from "duello/catalogue";
import { ownGames } from "virtual:own-games";

/** The stock games, followed by the games of the list that the page was built with. */
export const catalogue: readonly CatalogueGame[] = [...stock, ...ownGames];

/** Loads the module of a game of the catalogue by its name. @throws InputError that lists the names of all games */
export async function load(name: string): Promise<GameModule> {
  return gameNamed(name, catalogue).load();
}

/** True for a game that is not a stock game. */
export function isOwnGame({ name }: Pick<CatalogueGame, "name">): boolean {
  return ownGames.some((game) => game.name === name);
}
