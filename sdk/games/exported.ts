import type { GameModule } from "./module.js";

/**
 * Lists the games that a JavaScript module exports, each once. Their trust is always `listed`, whatever they declare.
 * @example
 * ```ts
 * import { exportedGames, stockGame } from "duello";
 *
 * const [own] = exportedGames({ default: stockGame("pistols") });
 * own.trust; // => "listed"
 * ```
 */
export function exportedGames(exported: object): GameModule[] {
  // One game may be exported under two names, e.g. also as the default.
  const games = new Set(Object.values(exported).flat().filter(isMeantAsGame));
  return [...games].map((game) => ({ ...game, trust: "listed" }));
}

/** True for a game, even an incomplete one; false for a module's other exports. */
function isMeantAsGame(exported: unknown): exported is GameModule {
  return typeof exported === "object" && exported !== null && "moves" in exported && "contract" in exported;
}
