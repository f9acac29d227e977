import type { Paint } from "../module.js";
import type { TurnFrame } from "../turns.js";
import { boardOf, winningCells } from "./engine.js";
import type { Mark } from "./log.js";

/** First cells of the three rows of the board. */
const ROW_STARTS = [0, 3, 6];

/**
 * Draws the board after a mark as lines of text; for players who must move, free cells show their numbers.
 * @param paint Colours the marks of a player.
 */
export function draw(mark: Mark, paint: Paint, isToMove: boolean): string[] {
  const signs = Array.from(boardOf(mark), (sign, cell) => {
    if (sign !== ".") return paint(sign, sign === "X" ? 1 : 2);
    return isToMove ? String(cell) : sign;
  });
  const rows = ROW_STARTS.map((start) => `  ${signs.slice(start, start + 3).join(" ")}`);
  return isToMove ? ["X is player 1, O is player 2; free cells have their numbers", ...rows] : rows;
}

/** Frame of a mark. */
export interface TicTacToeFrame extends TurnFrame {
  /** Cell that is marked, 0..8. */
  readonly cell: number;
  /** Cells after the mark, row by row; null for a free cell. */
  readonly board: readonly ("X" | "O" | null)[];
  /** Cells of the rows that the mark has filled; empty if it has filled none. */
  readonly row: readonly number[];
}

/** Makes the content of a mark's frame. */
export function frameOf(mark: Mark): object {
  const board = Array.from(boardOf(mark), (sign) => (sign === "." ? null : (sign as "X" | "O")));
  const shown: Omit<TicTacToeFrame, keyof TurnFrame> = { cell: mark.cell, board, row: winningCells(mark) };
  return shown;
}
