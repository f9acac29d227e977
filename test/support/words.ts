import type { Hex } from "../../sdk/protocol/hex.js";
import { hexWord } from "../../sdk/protocol/word.js";

/*
 * ABI coding by hand, for sweeps of thousands of calls: Ethers takes several times longer for it than the chain for the
 * calls themselves.
 */

/** Writes words in hex, without a prefix. */
export function words(...values: readonly (bigint | number | Hex)[]): string {
  return values.map((value) => hexWord(BigInt(value)).slice(2)).join("");
}

/** Returns the words of data, from a byte offset on. */
export function wordsIn(data: Hex, from = 0, count = Infinity): bigint[] {
  const digits = data.slice(2 + 2 * from, 2 + 2 * (from + 32 * count));
  return (digits.match(/.{64}/g) ?? []).map((word) => BigInt(`0x${word}`));
}
