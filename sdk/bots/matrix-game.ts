/** What the player of the rows gets, by row and column; the player of the columns gets the rest of a constant sum. */
export type Payoffs = readonly (readonly number[])[];

/** An equilibrium: how often each row and column is played, and what the player of the rows gets then. */
export interface Equilibrium {
  rows: number[];
  columns: number[];
  value: number;
}

/** Differences below this are those of rounding. */
const NOTHING = 1e-12;

/**
 * An equilibrium of a game of two players for a constant sum, by linear programming. Moves that another one betters or
 * equals whatever happens are never played; moves that make no difference are played as often as each other.
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

/** Never worse, and somewhere better. */
function betters(gains: number[]): boolean {
  return gains.every((gain) => gain >= -NOTHING) && gains.some((gain) => gain > NOTHING);
}

/**
 * Maximises the sum of y under `table y <= 1`, with the table made positive: y and the dual values are both players'
 * strategies but for a factor. Bland's rule, so it ends.
 */
function simplex(table: number[][]): Equilibrium {
  const [height, width] = [table.length, table[0].length];
  const shift = 1 - Math.min(...table.flat());
  const unit = (row: number) => Array.from({ length: height }, (_, i) => Number(i === row));
  const lines = table.map((row, i) => [...row.map((entry) => entry + shift), ...unit(i), 1]);
  const costs = [...Array<number>(width).fill(-1), ...Array<number>(height + 1).fill(0)];
  const basis = lines.map((_, i) => width + i);
  for (;;) {
    const entering = costs.slice(0, -1).findIndex((cost) => cost < -NOTHING);
    if (entering < 0) break;
    pivot(lines, costs, basis, leavingFor(lines, basis, entering), entering);
  }
  const value = 1 / costs[width + height];
  const columns = Array<number>(width).fill(0);
  for (const [i, variable] of basis.entries()) if (variable < width) columns[variable] = lines[i].at(-1)! * value;
  const rows = costs.slice(width, -1).map((dual) => Math.max(0, dual * value));
  return { rows, columns, value: value - shift };
}

/** The line with the least ratio, among equal ones the one of the first variable. */
function leavingFor(lines: number[][], basis: number[], entering: number): number {
  let leaving = -1;
  let min = Infinity;
  for (const [i, line] of lines.entries()) {
    if (line[entering] <= NOTHING) continue;
    const ratio = line.at(-1)! / line[entering];
    if (ratio < min - NOTHING || (ratio < min + NOTHING && basis[i] < basis[leaving])) {
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

/** What is played of all moves, given what is played of those kept: equal moves share. */
function spread(played: readonly number[], kept: readonly number[], payoffs: Payoffs): number[] {
  const all = payoffs.map(() => 0);
  for (const [i, move] of kept.entries()) {
    const equal = kept.filter((other) => payoffs[other].every((at, j) => Math.abs(at - payoffs[move][j]) <= NOTHING));
    for (const other of equal) all[other] += played[i] / equal.length;
  }
  return all;
}

function transposed(payoffs: Payoffs): number[][] {
  return payoffs[0].map((_, column) => payoffs.map((row) => row[column]));
}
