import { loadGames } from "../../cli/shared/command/games.js";

/** The stock games, and those of the user's own list. */
export const games = await loadGames();
