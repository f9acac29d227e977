import { layout, pack, unpackEntry, type Values } from "../../protocol/layout.js";

/** Cells on the board. */
export const CELLS = 9;

/** Fields of a position, as the arena stores it, in bits: the cells of both sides as bitmaps. */
export const POSITION = layout({ x: [0, 9], o: [9, 9] });

/** Fields of a log entry, in bits. */
export const LOG = layout({
  cell: [0, 4],
  side: [4, 1],
  x: [8, 9],
  o: [17, 9],
  winner: [26, 2],
  finished: [28, 1],
});

/** One mark. */
export interface Mark {
  /** Cell that is marked, 0..8. */
  cell: number;
  /** Side that marks the cell: 0 is X, player 1, and 1 is O, player 2. */
  side: number;
  /** Cells of X after the mark, as a bitmap. */
  x: number;
  /** Cells of O after the mark, as a bitmap. */
  o: number;
  /** Player who has won, 1 or 2; 0 for nobody. */
  winner: number;
  finished: boolean;
}

/** Encodes a mark as an entry of the log. */
export function encodeMark(mark: Mark): bigint {
  return pack(LOG, { ...mark, finished: Number(mark.finished) });
}

/**
 * Decodes an entry of the log.
 * @throws InputError for an entry that encodes no mark.
 */
export function decodeMark(entry: bigint): Mark {
  const fields = unpackEntry(LOG, entry, isPossible);
  return { ...fields, finished: fields.finished === 1 };
}

/** Returns whether a mark can have these fields. */
function isPossible({ cell, winner }: Values<typeof LOG>): boolean {
  return cell < CELLS && winner <= 2;
}
