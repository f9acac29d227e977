import { markOf } from "../../protocol/text.js";
import type { Paint } from "../module.js";
import { playerOf } from "../../protocol/sides.js";
import { RANK_LETTERS } from "./notation.js";
import { slotAt, type Position } from "./position.js";
import { tileName, tilesOf, WIDTH } from "./tiles.js";

/** Codes of ranks (rank + 1) by side and slot, 0 for unknown ones. */
export type KnownRanks = readonly Uint8Array[];

/**
 * Draws a board as rows of text, row 1 at the bottom, with a legend of both players' marks.
 * @param known Ranks to draw; defaults to the recorded ones.
 */
export function draw(position: Position, paint: Paint, known?: KnownRanks): string[] {
  return [
    ...rowsOf(position, paint, known),
    [1, 2].map((player) => paint(`${markOf(player)} player ${player}`, player)).join(", "),
  ];
}

/**
 * Draws the rows of a board: each pawn is its player's mark, then a letter for a known rank or ? for an unknown one; #
 * is an impassable tile.
 */
export function rowsOf(
  position: Position,
  paint: Paint,
  known: KnownRanks = position.sides.map(({ ranks }) => ranks),
): string[] {
  const { at, open, rules } = position;
  const passable = tilesOf(rules.passable);
  const columns = Math.max(...passable.map((tile) => tile % WIDTH)) + 1;
  const rows = Math.floor(passable[passable.length - 1] / WIDTH) + 1;
  const sign = (tile: number) => {
    if (!open[tile]) return " #";
    const side = [0, 1].find((each) => slotAt(at[tile], each) >= 0);
    if (side === undefined) return " .";
    const code = known[side][slotAt(at[tile], side)];
    return paint(markOf(playerOf(side)) + (code ? RANK_LETTERS[code - 1] : "?"), playerOf(side));
  };
  const row = (y: number) => {
    const signs = Array.from({ length: columns }, (_, x) => sign(y * WIDTH + x));
    return `${String(y + 1).padStart(4)} ${signs.join(" ")}`;
  };
  const letters = Array.from({ length: columns }, (_, x) => tileName(x)[0]);
  return [...Array.from({ length: rows }, (_, i) => row(rows - 1 - i)), `      ${letters.join("  ")}`];
}
