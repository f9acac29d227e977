import type { History } from "../../chain/history.js";
import type { MatchRecord } from "../../chain/record.js";
import type { Paint } from "../module.js";
import { playerOf } from "../../protocol/sides.js";
import { boardOf } from "./engine.js";
import type { Mark } from "./log.js";
import { decodeLog } from "./replay.js";

/** First cells of the three rows of the board. */
const ROW_STARTS = [0, 3, 6];

/**
 * Draws the board of a match as lines of text; free cells have their numbers.
 * @param paint Colours the signs of a player.
 */
export async function view(record: MatchRecord, _history: History, paint: Paint): Promise<string[]> {
  const mark = (await decodeLog(record)).at(-1);
  return ["X is player 1, O is player 2; free cells have their numbers", ...rowsOf(mark, paint, String)];
}

/**
 * Tells a match as lines of text: every mark, and the board after it.
 * @param paint Colours the signs of a player.
 */
export async function story(record: MatchRecord, _history: History, paint: Paint): Promise<string[]> {
  return (await decodeLog(record)).flatMap((mark) => [
    "",
    `Player ${playerOf(mark.side)} marks cell ${mark.cell}`,
    ...rowsOf(mark, paint, () => "."),
  ]);
}

/** Draws the rows of the board after a mark, with a text for each free cell. */
function rowsOf(mark: Mark | undefined, paint: Paint, free: (cell: number) => string): string[] {
  const signs = Array.from(boardOf(mark), (sign, cell) =>
    sign === "." ? free(cell) : paint(sign, sign === "X" ? 1 : 2),
  );
  return ROW_STARTS.map((start) => `  ${signs.slice(start, start + 3).join(" ")}`);
}
