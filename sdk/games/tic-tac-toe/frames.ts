import type { TurnFrame } from "../turns.js";
import { boardOf, winningCells } from "./engine.js";
import type { Mark } from "./log.js";

/** Frame of a mark. */
export interface TicTacToeFrame extends TurnFrame {
  /** Cell that is marked, 0..8. */
  readonly cell: number;
  /** Cells after the mark, row by row; null for a free one. */
  readonly board: readonly ("X" | "O" | null)[];
  /** Cells of the rows that the mark has filled; empty if it has filled none. */
  readonly row: readonly number[];
}

/** Makes what the frame of a mark shows. */
export function frameOf(mark: Mark): object {
  const board = Array.from(boardOf(mark), (sign) => (sign === "." ? null : (sign as "X" | "O")));
  const shown: Omit<TicTacToeFrame, keyof TurnFrame> = { cell: mark.cell, board, row: winningCells(mark) };
  return shown;
}
