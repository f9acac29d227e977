import type { History } from "../../chain/history.js";
import type { MatchRecord } from "../../chain/record.js";
import type { Paint, Telling } from "../module.js";
import { playerOf } from "../../protocol/sides.js";
import { boardOf } from "./engine.js";
import type { Mark } from "./log.js";
import { cellsOf } from "./moves.js";
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
 * Tells a match as lines of text: every mark, and the board in the end or after each of them.
 * @param paint Colours the signs of a player.
 */
export async function story(
  record: MatchRecord,
  _history: History,
  paint: Paint,
  { turns = false }: Telling = {},
): Promise<string[]> {
  const marks = await decodeLog(record);
  return marks.flatMap((mark, i) => [
    ...(turns ? [""] : []),
    `Player ${playerOf(mark.side)} marks cell ${mark.cell}`,
    ...(turns || i === marks.length - 1 ? rowsOf(mark, paint, () => ".") : []),
  ]);
}

/** Tells what the players of a match did: the cells that they marked. */
export async function actionTexts(record: MatchRecord): Promise<string[]> {
  return cellsOf(record).map((cell) => `marks cell ${cell}`);
}

/** Draws the rows of the board after a mark, with a text for each free cell. */
function rowsOf(mark: Mark | undefined, paint: Paint, free: (cell: number) => string): string[] {
  const signs = Array.from(boardOf(mark), (sign, cell) =>
    sign === "." ? free(cell) : paint(sign, sign === "X" ? 1 : 2),
  );
  return ROW_STARTS.map((start) => `  ${signs.slice(start, start + 3).join(" ")}`);
}
