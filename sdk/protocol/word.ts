import { InputError } from "./input.js";

/** The unsigned field of `width` bits (at most 53) that starts at bit `from` of a word; bit 0 is the lowest. */
export function bits(word: bigint, from: number, width: number): number {
  return Number(BigInt.asUintN(width, word >> BigInt(from)));
}

/**
 * What a entry of a log was decoded to, if it is the word of that: whoever reads on need not doubt it.
 * @param value Left out for a word with a field that cannot be as it is.
 * @throws InputError for a word that tells nothing.
 */
export function exactly<T>(word: bigint, value: T | undefined, encode: (value: T) => bigint): T {
  if (value !== undefined && encode(value) === word) return value;
  throw new InputError("log", `${hexWord(word)} is no entry of it`);
}

/** A 256-bit word as 0x and 64 lowercase hex digits. */
export function hexWord(word: bigint): string {
  return `0x${word.toString(16).padStart(64, "0")}`;
}

/** A sum as an unsigned field of `width` bits holds it, which stops at its most. */
export function saturated(sum: bigint, width: number): bigint {
  const max = 2n ** BigInt(width) - 1n;
  return sum > max ? max : sum;
}
