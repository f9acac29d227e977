/** Tiles in a row of the grid; a tile is `y * 16 + x`. */
export const WIDTH = 16;
/** Number of tiles in the grid. */
export const TILES = 256;

/**
 * Returns the name of a tile: column a to p and row from 1, e.g. `d5`.
 * @example
 * ```ts
 * import { tileName } from "duello/games/warmancer";
 *
 * tileName(67); // => "d5"
 * ```
 */
export function tileName(tile: number): string {
  return `${"abcdefghijklmnop"[tile % WIDTH]}${Math.floor(tile / WIDTH) + 1}`;
}

/**
 * Inverse of `tileName`; undefined for anything else.
 * @example
 * ```ts
 * import { tileOf } from "duello/games/warmancer";
 *
 * tileOf("d5"); // => 67
 * tileOf("q1"); // => undefined
 * ```
 */
export function tileOf(name: string): number | undefined {
  if (!/^[a-p]([1-9]|1[0-6])$/.test(name)) return undefined;
  return (Number(name.slice(1)) - 1) * WIDTH + name.charCodeAt(0) - "a".charCodeAt(0);
}

/**
 * Returns the tiles of a mask (bit number = tile), ascending.
 * @example
 * ```ts
 * import { tilesOf } from "duello/games/warmancer";
 *
 * tilesOf(0b1001n); // => [0, 3]
 * ```
 */
export function tilesOf(mask: bigint): number[] {
  const digits = mask.toString(2);
  const tiles: number[] = [];
  for (let tile = 0; tile < digits.length; tile++) if (digits[digits.length - 1 - tile] === "1") tiles.push(tile);
  return tiles;
}

/** Returns the mask of tiles. */
export function maskOf(tiles: Iterable<number>): bigint {
  let mask = 0n;
  for (const tile of tiles) mask |= 1n << BigInt(tile);
  return mask;
}

/** Tiles beside each tile: up, down, left and right; rows do not wrap. */
export const NEIGHBOURS: readonly (readonly number[])[] = Array.from({ length: TILES }, (_, tile) => {
  const x = tile % WIDTH;
  const sides = [x > 0 ? tile - 1 : -1, x < WIDTH - 1 ? tile + 1 : -1, tile - WIDTH, tile + WIDTH];
  return sides.filter((beside) => beside >= 0 && beside < TILES);
});
