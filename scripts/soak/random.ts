import { id, randomBytes } from "ethers";
import { SeededRandom } from "../../sdk/bots/seeded-random.js";

const BYTE = 256;

/** Chance that is the same for the same seed, in place of all there is. */
export class Random {
  private readonly random: SeededRandom;

  constructor(readonly seed: string) {
    this.random = new SeededRandom(id(seed));
  }

  /** 0..n-1. */
  below(n: number): number {
    return this.random.below(n);
  }

  pick<T>(items: readonly T[]): T {
    return items[this.below(items.length)];
  }

  /** True so many times of a hundred. */
  likely(percent: number): boolean {
    return this.below(100) < percent;
  }

  bytes(length: number): Uint8Array {
    return Uint8Array.from({ length }, () => this.below(BYTE));
  }

  /** While something runs, the SDK draws its salts, nonces and moves from here too. */
  async instead<T>(run: () => Promise<T>): Promise<T> {
    randomBytes.register((length) => this.bytes(length));
    return run().finally(() => randomBytes.register(randomBytes._));
  }
}
