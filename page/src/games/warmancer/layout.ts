/** Board as it is drawn: the names of tiles row by row, from the top. */
export type Layout = readonly (readonly string[])[];

/** Place of a tile in a layout: column and row, from the top left. */
export type Place = readonly [column: number, row: number];

const FIRST = "a".charCodeAt(0);

/**
 * Lays out the smallest rectangle around tiles, with the viewer's army at the bottom. On a board that is wider than high
 * the armies stand left and right, so it is drawn with its columns as rows.
 * @param isTurned True to draw it from player 2's side.
 */
export function layoutOf(tiles: Iterable<string>, isTurned: boolean): Layout {
  const all = Array.from(tiles, (tile) => [tile.charCodeAt(0) - FIRST, Number(tile.slice(1))]);
  const range = (axis: 0 | 1) => {
    const values = all.map((each) => each[axis]);
    const start = Math.min(...values);
    return Array.from({ length: Math.max(...values) - start + 1 }, (_, i) => start + i);
  };
  const [columns, rows] = [range(0), range(1).reverse()];
  const turned = <T>(list: T[]) => (isTurned ? list.reverse() : list);
  const letters = columns.map((x) => String.fromCharCode(FIRST + x));
  if (columns.length > rows.length) {
    return turned(letters.toReversed()).map((letter) => turned([...rows]).map((y) => `${letter}${y}`));
  }
  const across = turned(letters);
  return turned(rows).map((y) => across.map((letter) => `${letter}${y}`));
}

/** Finds the place of each tile of a layout. */
export function placesIn(layout: Layout): ReadonlyMap<string, Place> {
  return new Map(layout.flatMap((row, y) => row.map((tile, x) => [tile, [x, y]] as const)));
}

const STEPS: Readonly<Record<string, Place>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

/** Finds the tile to which a key leads from a given tile; undefined for a key that leads nowhere. */
export function tileBeside(layout: Layout, [x, y]: Place, key: string): string | undefined {
  if (key === "Home") return layout[y][0];
  if (key === "End") return layout[y].at(-1);
  const step = STEPS[key];
  if (step === undefined) return undefined;
  return layout[y + step[1]]?.[x + step[0]] ?? layout[y][x];
}
