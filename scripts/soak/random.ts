import { id, randomBytes } from "ethers";
import { SeededRandom } from "../../sdk/bots/seeded-random.js";

const BYTE = 256;

/** Random source that a seed determines. It can replace the SDK's own random source. */
export class Random {
  private readonly random: SeededRandom;

  constructor(readonly seed: string) {
    this.random = new SeededRandom(id(seed));
  }

  /** Returns an integer from 0 to n - 1. */
  below(n: number): number {
    return this.random.below(n);
  }

  pick<T>(items: readonly T[]): T {
    return items[this.below(items.length)];
  }

  /** Returns true with a probability in per cent. */
  likely(percent: number): boolean {
    return this.below(100) < percent;
  }

  bytes(length: number): Uint8Array {
    return Uint8Array.from({ length }, () => this.below(BYTE));
  }

  /** Runs a function while the SDK also draws its salts, nonces and moves from this source. */
  async instead<T>(run: () => Promise<T>): Promise<T> {
    randomBytes.register((length) => this.bytes(length));
    return run().finally(() => randomBytes.register(randomBytes._));
  }
}
