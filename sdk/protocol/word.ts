import { InputError } from "./input.js";

/** Reads the unsigned field of `width` bits, at most 53, that starts at bit `from` of a word; bit 0 is the lowest. */
export function bits(word: bigint, from: number, width: number): number {
  return Number(BigInt.asUintN(width, word >> BigInt(from)));
}

/**
 * Returns what a log entry was decoded to, if that encodes to the entry again.
 * @param value Left out for an entry with a field that no game can have written.
 * @throws InputError for an entry that encodes otherwise.
 */
export function exactly<T>(word: bigint, value: T | undefined, encode: (value: T) => bigint): T {
  if (value !== undefined && encode(value) === word) return value;
  throw new InputError("log", `${hexWord(word)} is no entry of it`);
}

/** Encodes a 256-bit word as 0x and 64 lowercase hex digits. */
export function hexWord(word: bigint): string {
  return `0x${word.toString(16).padStart(64, "0")}`;
}

/** Caps a sum at the largest value of an unsigned field of `width` bits. */
export function saturated(sum: bigint, width: number): bigint {
  const max = 2n ** BigInt(width) - 1n;
  return sum > max ? max : sum;
}
