import { TicTacToe__factory, TicTacToeLog__factory } from "../../../typechain-types/index.js";
import { pack } from "../../protocol/layout.js";
import { otherSide, playerOf } from "../../protocol/sides.js";
import { openTurns } from "../open-turns.js";
import { assess, chooseCell } from "./bot.js";
import { boardOf, freeCells, markAfter, NO_MARK } from "./engine.js";
import { decodeMark, encodeMark, POSITION } from "./log.js";
import { modes } from "./mode.js";
import { marks } from "./moves.js";
import { draw } from "./story.js";

/** Three in a row, in open turns. */
export const ticTacToe = openTurns({
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
  errors: { OccupiedCell: "Cell {cell} is marked already." },
  strategy: chooseCell,
  assess,
  rules: {
    ...marks,
    mode: modes,
    verb: "marks cell",
    start: () => NO_MARK,
    turn: ({ side, finished }) => (finished ? 0 : playerOf(otherSide(side))),
    winner: ({ winner }) => winner,
    legalMoves: freeCells,
    after: (mark, cell, { ties }, path) => markAfter(mark, cell, ties, path),
    last: ({ side, cell }) => ({ player: playerOf(side), move: cell }),
    entry: { encode: encodeMark, decode: decodeMark },
    stored: ({ x, o }) => pack(POSITION, { x, o }),
    draw,
    summary: (mark) => ({ board: boardOf(mark) }),
  },
});
