const SIZE = 3;
const ROWS = ["top", "middle", "bottom"];
const COLUMNS = ["left", "middle", "right"];

/** Names the place of a cell, e.g. `the centre` or `top left`. */
export function placeOf(cell: number): string {
  const [row, column] = [ROWS[Math.floor(cell / SIZE)], COLUMNS[cell % SIZE]];
  return row === column ? "the centre" : `${row} ${column}`;
}
