import type { Hex } from "../../sdk/protocol/hex.js";
import { hexWord } from "../../sdk/protocol/word.js";

/*
 * Minimal ABI coding for thousands of calls. For these, ethers takes several times longer than the chain takes for the
 * calls themselves.
 */

/** Returns words in hex, without a prefix. */
export function words(...values: readonly (bigint | number | Hex)[]): string {
  return values.map((value) => hexWord(BigInt(value)).slice(2)).join("");
}

/** Returns the words of data, starting at a byte offset. */
export function wordsIn(data: Hex, from = 0, count = Infinity): bigint[] {
  const digits = data.slice(2 + 2 * from, 2 + 2 * (from + 32 * count));
  return (digits.match(/.{64}/g) ?? []).map((word) => BigInt(`0x${word}`));
}
