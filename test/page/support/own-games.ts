import { miniGames } from "../../../sdk/games/mini-games/index.js";
import { defineGame } from "../../../sdk/games/module.js";
import { ticTacToe } from "../../../sdk/games/tic-tac-toe/index.js";
import type { GameViews } from "../../../sdk/games/view.js";

/** Game that draws its steps as sentences, and brings no view. */
export { sticks } from "../../support/sticks.js";

/** Mini-games as somebody else's game, which draws nothing. */
export const toss = defineGame({
  ...miniGames,
  name: "toss",
  title: "Toss",
  summary: "A move each.",
  contract: "Toss",
  decoder: undefined,
  frames: undefined,
});

/** Tic-tac-toe as somebody else's game, with a view. */
export const noughts = defineGame({
  ...ticTacToe,
  name: "noughts",
  title: "Noughts and crosses",
  contract: "Noughts",
  decoder: undefined,
});

export const views: GameViews = { noughts: () => import("./own-view.js") };
