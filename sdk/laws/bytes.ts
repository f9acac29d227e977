import { concat, dataLength, dataSlice, getBytes, hexlify, toBeHex } from "ethers";
import type { Hex } from "../protocol/hex.js";

/**
 * Encodes a number as one byte.
 * @example
 * ```ts
 * import { byte } from "duello/laws";
 *
 * byte(7); // => "0x07"
 * ```
 */
export function byte(value: number): Hex {
  return toBeHex(value, 1);
}

/**
 * Overwrites bytes of the data, from an offset on.
 * @example
 * ```ts
 * import { patched } from "duello/laws";
 *
 * patched("0x01020304", 1, "0xffff"); // => "0x01ffff04"
 * ```
 */
export function patched(data: Hex, from: number, bytes: Hex): Hex {
  return concat([dataSlice(data, 0, from), bytes, dataSlice(data, from + dataLength(bytes))]);
}

/**
 * Replaces one byte.
 * @example
 * ```ts
 * import { withByte } from "duello/laws";
 *
 * withByte("0x0102", 0, 9); // => "0x0902"
 * ```
 */
export function withByte(data: Hex, at: number, value: number): Hex {
  return patched(data, at, byte(value));
}

/**
 * Flips bits of one byte; the lowest bit of the last byte by default.
 * @example
 * ```ts
 * import { flipped } from "duello/laws";
 *
 * flipped("0x0100"); // => "0x0101"
 * flipped("0x0100", 0, 0x80); // => "0x8100"
 * ```
 */
export function flipped(data: Hex, at = dataLength(data) - 1, bits = 1): Hex {
  const bytes = getBytes(data);
  bytes[at] ^= bits;
  return hexlify(bytes);
}
