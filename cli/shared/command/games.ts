import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { isHexString } from "ethers";
import { exportedGames } from "../../../sdk/games/exported.js";
import { games as stock } from "../../../sdk/games/index.js";
import { checkDistinct } from "../../../sdk/games/list.js";
import type { GameModule } from "../../../sdk/games/module.js";
import { InputError, oneLine } from "../../../sdk/protocol/input.js";

/** Names that go into files, terminals and command lines. */
const NAME = /^[a-z][a-z0-9-]{0,39}$/;
const CONTRACT = /^[A-Za-z_$][\w$]{0,79}$/;

/** Functions that a module must export. */
const FUNCTIONS = ["simulate", "replay", "decodeLog", "story"] as const;

/**
 * Loads the games that a user plays: the stock games, followed by those that the user's own module exports.
 * @param file Path of the module; defaults to DUELLO_GAMES, or none.
 * @throws InputError if the module cannot be loaded, exports no game, or exports a game that is incomplete or has the
 * name of another game.
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
  const listed = exportedGames(exported as object);
  if (listed.length === 0) throw new InputError(file, "it exports no game");
  for (const game of listed) check(game, file);
  checkViews((exported as { views?: unknown }).views, listed, file);
  const games = [...stock, ...listed];
  try {
    checkDistinct(games);
  } catch (error) {
    throw error instanceof InputError ? new InputError(file, error.message) : error;
  }
  return games;
}

/** Loads a module, which may be written in TypeScript and use imports that `tsc` resolves and Node alone does not. */
async function loaded(path: string): Promise<unknown> {
  if (!/\.[cm]?ts$/.test(path)) return import(pathToFileURL(path).href);
  const { tsImport } = await import("tsx/esm/api");
  return tsImport(path, import.meta.url);
}

function check(game: GameModule, file: string): void {
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
    [Object.values(modes ?? {}).every(isMode), "one of its modes lacks content in hex, or odds"],
    ...FUNCTIONS.map((each) => [typeof game[each] === "function", `it has no function ${each}`] as const),
  ].find(([isRight]) => !isRight);
  if (problem) throw new InputError(file, `the game ${name} is incomplete: ${problem[1]}`);
}

function isMode(mode: unknown): boolean {
  const { content, odds } = (mode ?? {}) as { content?: unknown; odds?: unknown };
  const isPair = Array.isArray(odds) && odds.length === 2 && odds.every((each) => typeof each === "bigint");
  return isPair && isHexString(content, true);
}

/** Checks the module's views, with which the web page shows its games. @param views The export `views`, if any. */
function checkViews(views: unknown, games: readonly GameModule[], file: string): void {
  if (views === undefined) return;
  if (typeof views !== "object" || views === null) throw new InputError(file, "its views are not listed by game");
  for (const [name, load] of Object.entries(views)) {
    if (!games.some((game) => game.name === name)) {
      throw new InputError(file, `it exports a view of ${oneLine(name)}, but no such game`);
    }
    if (typeof load !== "function") throw new InputError(file, `the view of ${name} is not a function that loads it`);
  }
}
