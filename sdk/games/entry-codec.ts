import type { MatchRecord } from "../chain/record.js";
import { pack, unpackEntry, type Layout, type Values } from "../protocol/layout.js";

/** Functions of a game that write and read the entries of its log. */
export interface EntryCodec<E> {
  encode(entry: E): bigint;
  /** @throws InputError for an entry that the game does not write. */
  decode(entry: bigint): E;
}

/** Decodes the log of a match, with all rounds in one list. */
export function entriesOf<E>({ logs }: MatchRecord, decode: EntryCodec<E>["decode"]): E[] {
  return logs.flatMap(({ entries }) => entries.map(decode));
}

/**
 * Makes the codec of entries that are the fields of a layout.
 * @param isPossible True if a game can have written an entry with these fields; defaults to always true.
 * @throws InputError, from `decode`, for an entry that the game does not write.
 * @example
 * ```ts
 * import { layout, packedEntry } from "duello";
 *
 * const entries = packedEntry(layout({ cell: [0, 4], side: [4, 1] }), ({ cell }) => cell < 9);
 * entries.decode(entries.encode({ cell: 8, side: 1 })); // => { cell: 8, side: 1 }
 * ```
 */
export function packedEntry<L extends Layout>(
  fields: L,
  isPossible?: (values: Values<L>) => boolean,
): EntryCodec<Values<L>> {
  return {
    encode: (entry) => pack(fields, entry),
    decode: (entry) => unpackEntry(fields, entry, isPossible),
  };
}
