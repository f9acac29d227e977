import { concat, toBeHex } from "ethers";
import { bytesOf, hexOf, numberAt, sized, WORD_BYTES } from "../bytes.js";
import { keccak } from "../hash.js";
import type { Hex } from "../hex.js";
import { Seat } from "../status.js";
import type { AwayState } from "./signatures.js";

/** Table of a match that is played away, of which the chain stores the hash. */
export interface Table {
  /** State after joining, 32 bytes. */
  base: Hex;
  /** State that stands on the table, 32 bytes. */
  word: Hex;
  nonce: number;
  /** Seat in turn in that state. */
  turn: bigint;
  /** Seat that has posted it; None while nobody has posted. */
  poster: bigint;
}

/** State with the signatures of both players, as a post brings it. */
export interface SignedState extends Pick<AwayState, "nonce" | "turn" | "word" | "record"> {
  signature1: Hex;
  signature2: Hex;
}

/** Bytes of a table. */
export const TABLE_BYTES = 2 * WORD_BYTES + 4 + 1 + 1;

/** Largest nonce that a table has room for. */
export const MAX_NONCE = 2 ** 32 - 1;

const STATE_BYTES = 4 + 1 + 2 * WORD_BYTES + 1;

/** Returns the table that joining puts. @param turn Seat in turn. */
export function firstTable(base: Hex, turn: bigint): Table {
  return { base, word: base, nonce: 0, turn, poster: Seat.None };
}

/** Encodes `base 32 || word 32 || nonce 4 || turn 1 || poster 1`. */
export function encodeTable({ base, word, nonce, turn, poster }: Table): Hex {
  return concat([base, word, toBeHex(nonce, 4), toBeHex(turn, 1), toBeHex(poster, 1)]);
}

/** Decodes what `encodeTable` makes. @throws InputError for other than 70 bytes. */
export function decodeTable(data: Hex): Table {
  return tableIn(sized(data, "table", TABLE_BYTES));
}

/** Computes the hash of a table, which is the state of a match that is played away. */
export function tableHash(table: Table): Hex {
  return hexOf(keccak(bytesOf(encodeTable(table))));
}

/**
 * Returns the table behind a post.
 * @param poster Seat that posts.
 * @param state The state that is posted; without it the one that stands on the table.
 */
export function tableAfter({ base, word, nonce, turn }: Table, poster: bigint, state?: SignedState): Table {
  return { base, word: state?.word ?? word, nonce: state?.nonce ?? nonce, turn: state?.turn ?? turn, poster };
}

/**
 * Encodes a post without the byte of its kind:
 * `table 70 || [nonce 4 || turn 1 || word 32 || record 32 || length 1 || signature 1 || signature 2]`.
 * @param state The state that is posted; without it what stands on the table, while nobody has posted.
 */
export function encodePost(table: Table, state?: SignedState): Hex {
  if (!state) return encodeTable(table);
  const { nonce, turn, word, record, signature1, signature2 } = state;
  const length = bytesOf(signature1).length;
  return concat([
    encodeTable(table),
    toBeHex(nonce, 4),
    toBeHex(turn, 1),
    word,
    record,
    toBeHex(length, 1),
    signature1,
    signature2,
  ]);
}

/** Decodes what `encodePost` makes. @throws InputError for too few bytes. */
export function decodePost(data: Hex): { table: Table; state?: SignedState } {
  const bytes = sized(data, "post", TABLE_BYTES, Infinity);
  const table = tableIn(bytes);
  const rest = bytes.subarray(TABLE_BYTES);
  if (rest.length === 0) return { table };
  sized(rest, "posted state", STATE_BYTES, Infinity);
  const second = STATE_BYTES + rest[STATE_BYTES - 1];
  sized(rest, "posted state", second, Infinity);
  const state = {
    nonce: numberAt(rest, 0, 4),
    turn: BigInt(rest[4]),
    word: hexOf(rest.subarray(5, 5 + WORD_BYTES)),
    record: hexOf(rest.subarray(5 + WORD_BYTES, STATE_BYTES - 1)),
    signature1: hexOf(rest.subarray(STATE_BYTES, second)),
    signature2: hexOf(rest.subarray(second)),
  };
  return { table, state };
}

/**
 * Encodes the acceptance of a table without the byte of its kind: `table 70 || [action]`.
 * @param action Data of the accepting player's own action on the accepted state; without it none.
 */
export function encodeAccept(table: Table, action: Hex = "0x"): Hex {
  return concat([encodeTable(table), action]);
}

/** Decodes what `encodeAccept` makes. @throws InputError for fewer than 70 bytes. */
export function decodeAccept(data: Hex): { table: Table; action?: Hex } {
  const bytes = sized(data, "acceptance", TABLE_BYTES, Infinity);
  if (bytes.length === TABLE_BYTES) return { table: tableIn(bytes) };
  return { table: tableIn(bytes), action: hexOf(bytes.subarray(TABLE_BYTES)) };
}

function tableIn(bytes: Uint8Array): Table {
  const nonce = 2 * WORD_BYTES;
  return {
    base: hexOf(bytes.subarray(0, WORD_BYTES)),
    word: hexOf(bytes.subarray(WORD_BYTES, nonce)),
    nonce: numberAt(bytes, nonce, 4),
    turn: BigInt(bytes[nonce + 4]),
    poster: BigInt(bytes[nonce + 5]),
  };
}
