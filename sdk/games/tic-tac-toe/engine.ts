import { InputError } from "../../protocol/input.js";
import { otherSide, playerOf } from "../../protocol/sides.js";
import { CELLS, encodeMark, type Mark } from "./log.js";
import { Ties } from "./mode.js";

const ROWS = [0x007, 0x038, 0x1c0, 0x049, 0x092, 0x124, 0x111, 0x054];
const ALL = 0x1ff;
const ALL_CELLS = Array.from({ length: CELLS }, (_, cell) => cell);

/**
 * Plays marks from X's first on, and returns the log, an entry per mark.
 * @param ties One of `Ties`.
 * @param path Name of the marks in errors.
 * @throws InputError for a cell that cannot be marked, naming it as `path[i]`.
 */
export function play(cells: readonly number[], ties: number, path = "moves"): bigint[] {
  const marked = [0, 0];
  let side = 0;
  let finished = false;
  return cells.map((cell, i) => {
    const where = `${path}[${i}]`;
    if (cell >= CELLS) throw new InputError(where, `there is no cell ${cell}`);
    if (finished) throw new InputError(where, "the game is over");
    if (((marked[0] | marked[1]) >> cell) & 1) throw new InputError(where, `cell ${cell} is marked already`);
    marked[side] |= 1 << cell;
    const won = ROWS.some((row) => (marked[side] & row) === row);
    finished = won || (marked[0] | marked[1]) === ALL;
    const winnerOfTie = finished && ties === Ties.ToPlayer1 ? 1 : 0;
    const winner = won ? playerOf(side) : winnerOfTie;
    const entry = encodeMark({ cell, side, x: marked[0], o: marked[1], winner, finished });
    side = otherSide(side);
    return entry;
  });
}

/** Lists the cells that are not among those marked. */
export function freeCells(marked: readonly number[]): number[] {
  return ALL_CELLS.filter((cell) => !marked.includes(cell));
}

/** Draws the board after a mark, or the empty one, as nine characters, row by row: `X`, `O`, or `.` for a free cell. */
export function boardOf({ x, o }: Pick<Mark, "x" | "o"> = { x: 0, o: 0 }): string {
  const sign = (cell: number) => ((x >> cell) & 1 ? "X" : (o >> cell) & 1 ? "O" : ".");
  return ALL_CELLS.map(sign).join("");
}
