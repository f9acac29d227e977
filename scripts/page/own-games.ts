import { resolve } from "node:path";
import type { GameModule, ModeFacts } from "../../sdk/games/module.js";

/** Games of the deployer's own list, which a page shows after the stock games. */
export interface OwnGames {
  /** Path of the module that exports the games. */
  readonly file: string;
  readonly games: readonly GameModule[];
}

/**
 * Selects the games of the deployer's own list.
 * @param games All games, as `loadGames` loads them.
 * @param file Path of the list; defaults to DUELLO_GAMES.
 * @returns undefined if the deployer has no own games
 */
export function ownGames(games: readonly GameModule[], file = process.env.DUELLO_GAMES): OwnGames | undefined {
  const own = games.filter(({ trust }) => trust === "listed");
  return file === undefined || own.length === 0 ? undefined : { file: resolve(file), games: own };
}

/**
 * Writes the module `virtual:own-games` of a page: the facts of the games, and a function that loads their code. The
 * page loads the deployer's file only when it shows one of these games.
 */
export function ownGamesText({ file, games }: OwnGames): string {
  return `import { exportedGames, gameNamed } from "duello";
const load = () => import(${JSON.stringify(file)});
export const ownGames = ${literal(games.map(factsOf))}.map((facts) => ({
  ...facts,
  load: async () => gameNamed(facts.name, exportedGames(await load())),
}));
export const loadView = async (name) => (await (await load()).views?.[name]?.())?.default;
`;
}

function factsOf({ name, title, summary, contract, modes }: GameModule) {
  const entries = Object.entries(modes).map(([mode, facts]) => [mode, modeFacts(facts)] as const);
  return { name, title, summary, contract, modes: Object.fromEntries(entries) };
}

function modeFacts({ content, odds, ties, againstProgram, weakness }: ModeFacts): ModeFacts {
  return { content, odds, ties, againstProgram, weakness };
}

/** Writes a value as a JavaScript literal. */
function literal(value: unknown): string {
  if (typeof value === "bigint") return `${value}n`;
  if (Array.isArray(value)) return `[${value.map(literal).join()}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "undefined";
  return `{${Object.entries(value)
    .map(([key, each]) => `[${JSON.stringify(key)}]:${literal(each)}`)
    .join()}}`;
}
