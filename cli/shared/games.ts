import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { games as stock } from "../../sdk/games/index.js";
import { checkDistinct } from "../../sdk/games/list.js";
import type { GameModule } from "../../sdk/games/module.js";
import { InputError, oneLine } from "../../sdk/protocol/input.js";

/** Names that go into files, terminals and command lines. */
const NAME = /^[a-z][a-z0-9-]{0,39}$/;
const CONTRACT = /^[A-Za-z_$][\w$]{0,79}$/;

/** Functions that a module must have. */
const FUNCTIONS = ["simulate", "replay", "decodeLog", "story"] as const;

/**
 * Loads the games that a user plays: the stock games, and behind them those that a module of the user's own exports.
 * @param file Path of the module; DUELLO_GAMES, or none, if it is left out.
 * @throws InputError if the module cannot be loaded, exports no game, or exports one that is incomplete or has the name
 * of another.
 */
export async function loadGames(file = process.env.DUELLO_GAMES): Promise<readonly GameModule[]> {
  if (file === undefined || file === "") return stock;
  const path = resolve(file);
  if (!existsSync(path)) throw new InputError(file, "there is no such file");
  const exported: unknown = await loaded(path).catch((error: unknown) => {
    throw new InputError(
      file,
      `it cannot be loaded: ${oneLine(error instanceof Error ? error.message : String(error))}`,
    );
  });
  const listed = Object.values(exported as object)
    .flat()
    .filter(isMeantAsGame)
    .map((game) => checked(game, file));
  // One game may be exported under two names, e.g. as the default too.
  const games = [...stock, ...new Set(listed)];
  if (games.length === stock.length) throw new InputError(file, "it exports no game");
  try {
    checkDistinct(games);
  } catch (error) {
    throw error instanceof InputError ? new InputError(file, error.message) : error;
  }
  return games.map((game) => (stock.includes(game) ? game : { ...game, trust: "listed" as const }));
}

/** Loads a module, of TypeScript too: it may import as `tsc` lets it, which Node alone does not follow. */
async function loaded(path: string): Promise<unknown> {
  if (!/\.[cm]?ts$/.test(path)) return import(pathToFileURL(path).href);
  const { tsImport } = await import("tsx/esm/api");
  return tsImport(path, import.meta.url);
}

/** Tells if something that a module exports is a game, whole or not, and not one of its helpers. */
function isMeantAsGame(exported: unknown): exported is GameModule {
  return typeof exported === "object" && exported !== null && "moves" in exported && "contract" in exported;
}

function checked(game: GameModule, file: string): GameModule {
  const { name, title, contract, modes } = game as { [K in keyof GameModule]: unknown };
  if (typeof name !== "string" || !NAME.test(name)) {
    throw new InputError(
      file,
      `the name ${oneLine(String(name))} of a game is not 1 to 40 small letters, digits and hyphens`,
    );
  }
  const problem = [
    [typeof title === "string" && title === oneLine(title), "its title is no line of text"],
    [typeof contract === "string" && CONTRACT.test(contract), "its contract has no name"],
    [typeof modes === "object" && modes !== null && Object.keys(modes).length > 0, "it has no mode"],
    ...FUNCTIONS.map((each) => [typeof game[each] === "function", `it has no function ${each}`] as const),
  ].find(([isRight]) => !isRight);
  if (problem) throw new InputError(file, `the game ${name} is incomplete: ${problem[1]}`);
  return game;
}
