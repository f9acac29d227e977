/** Payoffs of the row player, by row and column; the column player gets the rest of a constant sum. */
export type Payoffs = readonly (readonly number[])[];

/** An equilibrium in mixed strategies. */
export interface Equilibrium {
  /** Probability of each row. */
  rows: number[];
  /** Probability of each column. */
  columns: number[];
  /** Expected payoff of the row player. */
  value: number;
}

/** Bound below which differences are rounding errors. */
const EPSILON = 1e-12;

/**
 * Computes an equilibrium of a constant-sum game of two players by linear programming. Weakly dominated moves are never
 * played; moves with equal payoffs are played equally often.
 * @example
 * ```ts
 * import { solve } from "duello";
 *
 * solve([[2, 3], [1, 0]]); // => { rows: [1, 0], columns: [1, 0], value: 2 }
 * const pennies = solve([[1, -1], [-1, 1]]);
 * pennies.value; // => 0
 * ```
 */
export function solve(payoffs: Payoffs): Equilibrium {
  const kept = undominated(payoffs);
  const table = kept.rows.map((row) => kept.columns.map((column) => payoffs[row][column]));
  const { rows, columns, value } = simplex(table);
  return {
    rows: spread(rows, kept.rows, payoffs),
    columns: spread(columns, kept.columns, transposed(payoffs)),
    value,
  };
}

function undominated(payoffs: Payoffs): { rows: number[]; columns: number[] } {
  let rows = [...payoffs.keys()];
  let columns = [...payoffs[0].keys()];
  for (let size = Infinity; rows.length + columns.length < size;) {
    size = rows.length + columns.length;
    rows = rows.filter(
      (row) => !rows.some((other) => betters(columns.map((at) => payoffs[other][at] - payoffs[row][at]))),
    );
    columns = columns.filter(
      (column) => !columns.some((other) => betters(rows.map((at) => payoffs[at][column] - payoffs[at][other]))),
    );
  }
  return { rows, columns };
}

/** Returns whether a move is never worse than another and sometimes better, given its gains over the other. */
function betters(gains: number[]): boolean {
  return gains.every((gain) => gain >= -EPSILON) && gains.some((gain) => gain > EPSILON);
}

/**
 * Maximises the sum of y under `table y <= 1` by the simplex method, with the table made positive: y and the dual
 * values are both players' strategies up to a factor. Bland's rule guarantees that it ends.
 */
function simplex(table: number[][]): Equilibrium {
  const [height, width] = [table.length, table[0].length];
  const shift = 1 - Math.min(...table.flat());
  const unit = (row: number) => Array.from({ length: height }, (_, i) => Number(i === row));
  const lines = table.map((row, i) => [...row.map((entry) => entry + shift), ...unit(i), 1]);
  const costs = [...Array<number>(width).fill(-1), ...Array<number>(height + 1).fill(0)];
  const basis = lines.map((_, i) => width + i);
  for (;;) {
    const entering = costs.slice(0, -1).findIndex((cost) => cost < -EPSILON);
    if (entering < 0) break;
    pivot(lines, costs, basis, leavingFor(lines, basis, entering), entering);
  }
  const value = 1 / costs[width + height];
  const columns = Array<number>(width).fill(0);
  for (const [i, variable] of basis.entries()) if (variable < width) columns[variable] = lines[i].at(-1)! * value;
  const rows = costs.slice(width, -1).map((dual) => Math.max(0, dual * value));
  return { rows, columns, value: value - shift };
}

/** Returns the line with the smallest ratio; among equal ratios, the line of the first variable. */
function leavingFor(lines: number[][], basis: number[], entering: number): number {
  let leaving = -1;
  let min = Infinity;
  for (const [i, line] of lines.entries()) {
    if (line[entering] <= EPSILON) continue;
    const ratio = line.at(-1)! / line[entering];
    if (ratio < min - EPSILON || (ratio < min + EPSILON && basis[i] < basis[leaving])) {
      [leaving, min] = [i, Math.min(ratio, min)];
    }
  }
  return leaving;
}

function pivot(lines: number[][], costs: number[], basis: number[], leaving: number, entering: number): void {
  const by = lines[leaving][entering];
  const line = lines[leaving].map((entry) => entry / by);
  lines[leaving] = line;
  basis[leaving] = entering;
  for (const other of [...lines, costs]) {
    const factor = other[entering];
    if (other === line || factor === 0) continue;
    for (let i = 0; i < other.length; i++) other[i] -= factor * line[i];
  }
}

/** Extends the probabilities of the kept moves to all moves: moves with equal payoffs share a probability. */
function spread(played: readonly number[], kept: readonly number[], payoffs: Payoffs): number[] {
  const all = payoffs.map(() => 0);
  for (const [i, move] of kept.entries()) {
    const equal = kept.filter((other) => payoffs[other].every((at, j) => Math.abs(at - payoffs[move][j]) <= EPSILON));
    for (const other of equal) all[other] += played[i] / equal.length;
  }
  return all;
}

function transposed(payoffs: Payoffs): number[][] {
  return payoffs[0].map((_, column) => payoffs.map((row) => row[column]));
}
