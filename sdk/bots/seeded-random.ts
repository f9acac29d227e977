import { getBytes } from "ethers";
import { Dice } from "../protocol/dice.js";
import { keccak } from "../protocol/hash.js";
import type { Hex } from "../protocol/hex.js";

/**
 * Random numbers from a seed, for random matches: equal seeds give equal numbers.
 * @example
 * ```ts
 * import { SeededRandom } from "duello";
 *
 * const random = new SeededRandom(salt);
 * random.below(6) === new SeededRandom(salt).below(6); // => true
 * ```
 */
export class SeededRandom {
  private readonly dice: Dice;
  private rolls = 0;

  /** @param seed 32 bytes. */
  constructor(readonly seed: Hex) {
    this.dice = new Dice(keccak(getBytes(seed)));
  }

  /** Returns a number from 0 to n - 1. @throws RangeError for n above 2^21. */
  below(n: number): number {
    return this.dice.roll(this.rolls++).lane(0, n);
  }
}
