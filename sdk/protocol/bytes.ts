import { getBytes, type BytesLike } from "ethers";
import { InputError } from "./input.js";
import type { Hex } from "./hex.js";

/** Bytes of an EVM word: a hash, a salt, a commitment. */
export const WORD_BYTES = 32;

/** Bytes of an address. */
export const ADDRESS_BYTES = 20;

const PAIRS = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"));
const DIGITS = new Int8Array(128).fill(-1);
for (let value = 0; value < 16; value++) {
  const digit = value.toString(16);
  DIGITS[digit.charCodeAt(0)] = DIGITS[digit.toUpperCase().charCodeAt(0)] = value;
}

/**
 * Returns the bytes of 0x hex, and bytes unchanged. Engines need this function: it is an order of magnitude faster than
 * `getBytes` of ethers.
 * @throws TypeError of ethers, with code INVALID_ARGUMENT, for a string that is not 0x hex.
 * @example
 * ```ts
 * import { bytesOf } from "duello";
 *
 * bytesOf("0x0102"); // => Uint8Array.of(1, 2)
 * ```
 */
export function bytesOf(data: BytesLike): Uint8Array {
  if (typeof data !== "string") return data;
  const bytes = new Uint8Array(Math.max(0, (data.length - 2) >> 1));
  let wrong = (data.length % 2) | Number(!data.startsWith("0x"));
  for (let i = 0; i < bytes.length; i++) {
    const [high, low] = [data.charCodeAt(2 * i + 2), data.charCodeAt(2 * i + 3)];
    wrong |= (high | low) >> 7;
    const byte = (DIGITS[high & 127] << 4) | DIGITS[low & 127];
    wrong |= byte >> 8;
    bytes[i] = byte;
  }
  // Ethers reports the reason.
  return wrong ? getBytes(data) : bytes;
}

/**
 * Returns the bytes of 0x hex, and checks that there are `min` to `max` of them.
 * @param what Name of the bytes in the error.
 * @throws InputError if there are fewer or more bytes, or if the data is not 0x hex.
 * @example
 * ```ts
 * import { sized } from "duello";
 *
 * sized("0x0102", "move", 2); // => Uint8Array.of(1, 2)
 * sized("0x0102", "move", 1); // throws InputError: move: 2 bytes instead of 1
 * ```
 */
export function sized(data: BytesLike, what: string, min: number, max = min): Uint8Array {
  const bytes = readBytes(data, what);
  if (bytes.length >= min && bytes.length <= max) return bytes;
  const wanted = min === max ? String(min) : max === Infinity ? `at least ${min}` : `${min} to ${max}`;
  throw new InputError(what, `${bytes.length} bytes instead of ${wanted}`);
}

function readBytes(data: BytesLike, what: string): Uint8Array {
  try {
    return bytesOf(data);
  } catch {
    throw new InputError(what, "not 0x and hex bytes");
  }
}

/**
 * Encodes bytes as 0x hex.
 * @example
 * ```ts
 * import { hexOf } from "duello";
 *
 * hexOf(Uint8Array.of(1, 255)); // => "0x01ff"
 * ```
 */
export function hexOf(bytes: Uint8Array): Hex {
  let hex = "0x";
  for (const byte of bytes) hex += PAIRS[byte];
  return hex;
}

/** Reads the unsigned big-endian number in `width` bytes, at most 6, that start at place `at`. */
export function numberAt(bytes: Uint8Array, at: number, width: number): number {
  let number = 0;
  for (let i = at; i < at + width; i++) number = number * 256 + bytes[i];
  return number;
}
