import { layout, pack, unpackEntry, type Values } from "../../protocol/layout.js";
import type { Played } from "./engine.js";
import { KindId, kinds } from "./mode.js";

/** Fields of a log entry, in bits. */
export const LOG = layout({
  value1: [0, 8],
  value2: [8, 8],
  flip: [16, 8],
  kind: [24, 8],
  result: [32, 2],
  winner: [34, 2],
});

/** Encodes a game as an entry of the log. */
export function encodeGame({ values: [value1, value2], flip, kind, result, winner }: Played): bigint {
  return pack(LOG, { value1, value2, flip: flip ?? 0, kind, result, winner });
}

/**
 * Decodes an entry of the log.
 * @throws InputError for an entry that encodes no game.
 */
export function decodeGame(entry: bigint): Played {
  const { value1, value2, flip, kind, result, winner } = unpackEntry(LOG, entry, isPossible);
  return { values: [value1, value2], flip: kind === KindId.Coin ? flip : null, kind, result, winner };
}

/** Returns whether a game can have these fields. */
function isPossible({ kind, flip, result, winner }: Values<typeof LOG>): boolean {
  return kind in kinds && (kind === KindId.Coin || flip === 0) && result <= 2 && winner <= 2;
}
