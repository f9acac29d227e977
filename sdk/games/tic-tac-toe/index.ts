import { TicTacToe__factory, TicTacToeLog__factory } from "../../../typechain-types/index.js";
import { pack } from "../../protocol/layout.js";
import { otherSide, playerOf } from "../../protocol/sides.js";
import { openTurns } from "../open-turns.js";
import { assess, chooseCell } from "./bot.js";
import { boardOf, freeCells, markAfter, NO_MARK } from "./engine.js";
import { facts } from "./facts.js";
import { decodeMark, encodeMark, POSITION } from "./log.js";
import { modes } from "./mode.js";
import { marks } from "./moves.js";
import { draw, frameOf } from "./story.js";

export { boardOf, freeCells, winningCells } from "./engine.js";
export type { TicTacToeFrame } from "./story.js";
export { CELLS, type Mark } from "./log.js";
export { Ties, type Mode } from "./mode.js";
export { cellsOf } from "./moves.js";

/** Three in a row, in open turns. */
export const ticTacToe = openTurns({
  ...facts,
  trust: "stock",
  abi: TicTacToe__factory.abi,
  decoder: { contract: "TicTacToeLog", abi: TicTacToeLog__factory.abi },
  errors: {
    UnknownCell: "The board has no cell {cell}.",
    OccupiedCell: "Cell {cell} is marked already.",
    NotTheNextMark: "The action is for mark {number} of match {matchId}; mark {next} is next.",
    NotTheFirstCell: "Cell {cell} is not the first cell that was marked in match {matchId}.",
  },
  bot: { strategy: chooseCell, assess },
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
    frame: frameOf,
    summary: (mark) => ({ board: boardOf(mark) }),
  },
});
