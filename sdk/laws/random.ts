import { dataSlice, getBytes, id, randomBytes } from "ethers";
import { bytesOf, hexOf } from "../protocol/bytes.js";
import { keccak } from "../protocol/hash.js";
import type { Hex } from "../protocol/hex.js";

/**
 * A source of random values that are the same in every run.
 * @example
 * ```ts
 * import { Random } from "duello/laws";
 *
 * new Random("first").below(6) === new Random("first").below(6); // => true
 * ```
 */
export class Random {
  private last: Uint8Array;

  constructor(seed: string) {
    this.last = bytesOf(id(seed));
  }

  /** Returns 32 bytes, never zero in practice: a salt. */
  word(): Hex {
    this.last = keccak(this.last);
    return hexOf(this.last);
  }

  /** Returns a number from 0 to n - 1. */
  below(n: number): number {
    return Number(BigInt(this.word()) % BigInt(n));
  }

  pick<T>(items: readonly T[]): T {
    return items[this.below(items.length)];
  }

  /** Returns items in random order. */
  shuffled<T>(items: readonly T[]): T[] {
    const rest = [...items];
    return items.map(() => rest.splice(this.below(rest.length), 1)[0]);
  }

  /** Returns `length` nonzero bytes, so that each costs the maximum. */
  note(length: number): Hex {
    return this.joined(length, (word) => word.replaceAll("00", "01"));
  }

  /** Returns `length` random bytes. */
  bytes(length: number): Hex {
    return this.joined(length, (word) => word);
  }

  /** Runs a function during which the SDK also draws its salts and moves from this source. */
  async instead<T>(run: () => Promise<T>): Promise<T> {
    randomBytes.register((length) => getBytes(this.bytes(length)));
    return run().finally(() => randomBytes.register(randomBytes._));
  }

  private joined(length: number, change: (word: string) => string): Hex {
    const words = Array.from({ length: Math.ceil(length / 32) }, () => change(this.word().slice(2)));
    return dataSlice(`0x${words.join("")}`, 0, length);
  }
}
