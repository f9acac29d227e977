import type { MatchRecord } from "../../chain/record.js";
import { InputError, integer } from "../../protocol/input.js";
import { byteMove } from "../move-codec.js";
import { sentMoves } from "../open-turns.js";
import type { SentMoves } from "../turns.js";
import { CELLS } from "./log.js";

/** A move marks a cell, given by its number. */
export const marks: SentMoves<unknown, number> = {
  noun: "mark",
  numberBytes: 1,
  move: {
    ...byteMove("CELL"),
    read: () => integer(0, CELLS - 1),
    parse([cell, ...more]) {
      if (more.length > 0 || !/^[0-8]$/.test(cell ?? "")) {
        throw new InputError("cell", "a move is one number from 0 to 8");
      }
      return Number(cell);
    },
  },
};

/**
 * Lists the cells that have been marked in a match, from X's first on.
 * @throws RecordError for a mark that was sent for another position.
 * @throws InputError for data of the wrong length.
 * @example
 * ```ts
 * import { cellsOf } from "duello/games/tic-tac-toe";
 *
 * cellsOf(record); // => [0, 3, 1, 4, 2]
 * ```
 */
export function cellsOf(record: MatchRecord): number[] {
  return sentMoves(marks, record, undefined).map(({ move }) => move);
}
