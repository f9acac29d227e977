import { TicTacToe__factory, TicTacToeLog__factory } from "../../../typechain-types/index.js";
import { defineGame } from "../module.js";
import { assess, chooseCell } from "./bot.js";
import { format } from "./mode.js";
import { moves } from "./moves.js";
import { decodeLog, replay } from "./replay.js";
import { atRandom, simulate } from "./simulate.js";
import { actionTexts, story, view } from "./story.js";

/** Three in a row, in open turns. */
export const ticTacToe = defineGame({
  name: "tic-tac-toe",
  trust: "stock",
  contract: "TicTacToe",
  abi: TicTacToe__factory.abi,
  decoder: { contract: "TicTacToeLog", abi: TicTacToeLog__factory.abi },
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
  modeFormat: format,
  errors: { OccupiedCell: "Cell {cell} is marked already." },
  moves,
  strategy: chooseCell,
  assess,
  replay,
  decodeLog,
  view,
  story,
  actionTexts,
  atRandom,
  simulate,
});
