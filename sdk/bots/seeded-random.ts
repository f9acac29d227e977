import { getBytes } from "ethers";
import { Dice } from "../protocol/dice.js";
import { keccak } from "../protocol/hash.js";
import type { Hex } from "../protocol/hex.js";

/** Dice for matches at random, the same for the same seed. */
export class SeededRandom {
  private readonly dice: Dice;
  private rolls = 0;

  /** @param seed 32 bytes, for the match itself. */
  constructor(readonly seed: Hex) {
    this.dice = new Dice(keccak(getBytes(seed)));
  }

  /** 0..n-1, for n up to 2^21. */
  below(n: number): number {
    return this.dice.roll(this.rolls++).lane(0, n);
  }
}
