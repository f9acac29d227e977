import type { Edge } from "../edges.js";

/** The edges of the stock modes over 20000 matches each, by game and mode; made by `npm run bench`. */
export const measured: Readonly<Record<string, Readonly<Record<string, Edge>>>> = {
  "auto-battler": { default: { player1: 10059, player2: 9941, draws: 0 } },
  "tic-tac-toe": {
    default: { player1: 11725, player2: 5708, draws: 2567 },
    "x-wins-ties": { player1: 14124, player2: 5876, draws: 0 },
  },
};
