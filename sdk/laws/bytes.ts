import { concat, dataLength, dataSlice, getBytes, hexlify, toBeHex } from "ethers";
import type { Hex } from "../protocol/hex.js";

/** Encodes a number as one byte. */
export function byte(value: number): Hex {
  return toBeHex(value, 1);
}

/** Overwrites bytes of the data, from an offset on. */
export function patched(data: Hex, from: number, bytes: Hex): Hex {
  return concat([dataSlice(data, 0, from), bytes, dataSlice(data, from + dataLength(bytes))]);
}

/** Replaces one byte. */
export function withByte(data: Hex, at: number, value: number): Hex {
  return patched(data, at, byte(value));
}

/** Flips bits of one byte; the lowest bit of the last byte by default. */
export function flipped(data: Hex, at = dataLength(data) - 1, bits = 1): Hex {
  const bytes = getBytes(data);
  bytes[at] ^= bits;
  return hexlify(bytes);
}
