import { defineFacts } from "../module.js";

/** Facts about the game, which the catalogue uses too. */
export const facts = defineFacts({
  name: "tic-tac-toe",
  summary: "Three in a row on nine cells, mark by mark.",
  contract: "TicTacToe",
  modes: {
    default: {
      content: "0x",
      weakness: "Who plays well cannot be beaten: between two such players every game is a draw.",
    },
    "x-wins-ties": {
      content: "0x00",
      ties: "challenger",
      weakness: "Player 1 wins whenever it plays well.",
    },
  },
});
