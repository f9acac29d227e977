/** Sign of a cell; null for a free one. */
export type Sign = "X" | "O" | null;

const SIZE = 3;
const LINES = [0, 1, 2];

/** Names a cell, e.g. `row 1, column 2, free`. */
export function cellName(cell: number, sign: Sign): string {
  return `row ${1 + Math.floor(cell / SIZE)}, column ${1 + (cell % SIZE)}, ${sign ?? "free"}`;
}

/** Returns the cell to which an arrow key leads, or the same cell at the edge; undefined for any other key. */
export function cellTowards(cell: number, key: string): number | undefined {
  const [row, column] = [Math.floor(cell / SIZE), cell % SIZE];
  const within = (place: number) => Math.min(SIZE - 1, Math.max(0, place));
  if (key === "ArrowUp" || key === "ArrowDown") return within(row + (key === "ArrowUp" ? -1 : 1)) * SIZE + column;
  if (key === "ArrowLeft" || key === "ArrowRight") return row * SIZE + within(column + (key === "ArrowLeft" ? -1 : 1));
  if (key === "Home" || key === "End") return row * SIZE + (key === "Home" ? 0 : SIZE - 1);
  return undefined;
}

/** Lists the cells of a board by row. */
export function rowsOf(): number[][] {
  return LINES.map((row) => LINES.map((column) => row * SIZE + column));
}

/** Mark of a cell: X of player 1, O of player 2. */
export function Mark({ sign }: { readonly sign: Sign }) {
  if (sign === null) return null;
  return (
    <svg class={sign === "X" ? "tic-mark one" : "tic-mark two"} viewBox="0 0 40 40" aria-hidden="true">
      {sign === "X" ? <path d="M8 8 32 32 M32 8 8 32" /> : <circle cx="20" cy="20" r="12.5" />}
    </svg>
  );
}

/** Both players with their marks. */
export function Legend({ names, own }: { readonly names: readonly [string, string]; readonly own: number }) {
  return (
    <ul class="row tic-legend">
      {names.map((name, side) => (
        <li key={side} class="row">
          <Mark sign={side === 0 ? "X" : "O"} />
          <span>
            <span class="hidden">{side === 0 ? "X:" : "O:"}</span> {name}
          </span>
          {own === side + 1 && <span class="tag">your mark</span>}
        </li>
      ))}
    </ul>
  );
}
