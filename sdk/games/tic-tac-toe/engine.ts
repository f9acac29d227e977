import { InputError } from "../../protocol/input.js";
import { otherSide, playerOf } from "../../protocol/sides.js";
import { CELLS, encodeMark, type Mark } from "./log.js";
import { Ties } from "./mode.js";

const ROWS = [0x007, 0x038, 0x1c0, 0x049, 0x092, 0x124, 0x111, 0x054];
const ALL = 0x1ff;
const ALL_CELLS = Array.from({ length: CELLS }, (_, cell) => cell);

/** Empty board, before X's first mark: as if O had marked last. */
export const NO_MARK: Mark = { cell: 0, side: 1, x: 0, o: 0, winner: 0, finished: false };

/**
 * Plays marks from X's first on, and returns the log, an entry per mark.
 * @param ties One of `Ties`.
 * @param path Name of the marks in errors.
 * @throws InputError for a cell that cannot be marked, named as `path[i]`.
 */
export function play(cells: readonly number[], ties: number, path = "moves"): bigint[] {
  let last = NO_MARK;
  return cells.map((cell, i) => {
    last = markAfter(last, cell, ties, `${path}[${i}]`);
    return encodeMark(last);
  });
}

/**
 * Returns the mark that follows another.
 * @param ties One of `Ties`.
 * @param path Name of the mark in errors.
 * @throws InputError for a cell that cannot be marked.
 */
export function markAfter(last: Mark, cell: number, ties: number, path: string): Mark {
  if (cell >= CELLS) throw new InputError(path, `there is no cell ${cell}`);
  if (last.finished) throw new InputError(path, "the game is over");
  if (((last.x | last.o) >> cell) & 1) throw new InputError(path, `cell ${cell} is marked already`);
  const side = otherSide(last.side);
  const marked = [last.x, last.o];
  marked[side] |= 1 << cell;
  const [x, o] = marked;
  const won = fullRows(marked[side]).length > 0;
  const finished = won || (x | o) === ALL;
  const winnerOfTie = finished && ties === Ties.ToPlayer1 ? 1 : 0;
  return { cell, side, x, o, winner: won ? playerOf(side) : winnerOfTie, finished };
}

/** Lists the rows that a side has filled, as bitmaps. */
function fullRows(marked: number): number[] {
  return ROWS.filter((row) => (marked & row) === row);
}

/**
 * Lists the cells of the rows that the last mark has filled; empty if no row is full.
 * @example
 * ```ts
 * import { winningCells } from "duello/games/tic-tac-toe";
 *
 * winningCells({ x: 0b000_000_111, o: 0b000_011_000, side: 0 }); // => [0, 1, 2]
 * ```
 */
export function winningCells({ x, o, side }: Pick<Mark, "x" | "o" | "side">): number[] {
  const cells = fullRows(side === 0 ? x : o).reduce((all, row) => all | row, 0);
  return ALL_CELLS.filter((cell) => (cells >> cell) & 1);
}

/**
 * Lists the cells that are free after a mark.
 * @example
 * ```ts
 * import { freeCells } from "duello/games/tic-tac-toe";
 *
 * freeCells({ x: 0b000_000_111, o: 0b000_011_000 }); // => [5, 6, 7, 8]
 * ```
 */
export function freeCells({ x, o }: Pick<Mark, "x" | "o">): number[] {
  return ALL_CELLS.filter((cell) => !(((x | o) >> cell) & 1));
}

/**
 * Draws the board after a mark as nine characters, row by row: `X`, `O`, or `.` for a free cell.
 * @example
 * ```ts
 * import { boardOf } from "duello/games/tic-tac-toe";
 *
 * boardOf({ x: 0b000_000_111, o: 0b000_011_000 }); // => "XXXOO...."
 * ```
 */
export function boardOf({ x, o }: Pick<Mark, "x" | "o">): string {
  const sign = (cell: number) => ((x >> cell) & 1 ? "X" : (o >> cell) & 1 ? "O" : ".");
  return ALL_CELLS.map(sign).join("");
}
