import { miniGames } from "../../../sdk/games/mini-games/index.js";
import { defineGame } from "../../../sdk/games/module.js";
import { ticTacToe } from "../../../sdk/games/tic-tac-toe/index.js";
import type { GameViews } from "../../../sdk/games/view.js";

/** A game that draws its steps as sentences, and has no view. */
export { sticks } from "../../support/sticks.js";

/** The mini-games as a custom game without drawings. */
export const toss = defineGame({
  ...miniGames,
  name: "toss",
  title: "Toss",
  summary: "A move each.",
  contract: "Toss",
  decoder: undefined,
  frames: undefined,
});

/** Tic-tac-toe as a custom game with a view. */
export const noughts = defineGame({
  ...ticTacToe,
  name: "noughts",
  title: "Noughts and crosses",
  contract: "Noughts",
  decoder: undefined,
});

export const views: GameViews = { noughts: () => import("./own-view.js") };
