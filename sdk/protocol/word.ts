/** Encodes a 256-bit word as 0x and 64 lowercase hex digits. */
export function hexWord(word: bigint): string {
  return `0x${word.toString(16).padStart(64, "0")}`;
}

/** Caps a sum at the largest value of an unsigned field of `width` bits. */
export function saturated(sum: bigint, width: number): bigint {
  const max = 2n ** BigInt(width) - 1n;
  return sum > max ? max : sum;
}
