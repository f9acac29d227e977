import { randomBytes, toNumber } from "ethers";

/** Source of random numbers: a cryptographic one for real moves, a seeded one in tests. */
export interface RandomSource {
  /** Returns a number from 0 to n - 1, all equally likely, for n up to 2^21. */
  below(n: number): number;
}

/**
 * Makes a source out of numbers from 0 to range - 1, which must be equally likely.
 * @example
 * ```ts
 * import { sourceFrom } from "duello/bots";
 *
 * const countdown = [5, 4, 3];
 * const dice = sourceFrom(() => countdown.pop() ?? 0, 6);
 * dice.below(6); // => 3
 * ```
 */
export function sourceFrom(next: () => number, range = 2 ** 48): RandomSource {
  return {
    below(n) {
      // Numbers after the last multiple of n would make some remainders more likely.
      const end = range - (range % n);
      let number = next();
      while (number >= end) number = next();
      return number % n;
    },
  };
}

/** Cryptographic source, which is unpredictable. */
export const cryptoSource = sourceFrom(() => toNumber(randomBytes(6)));

const BITS_21 = 2 ** 21;
const BITS_16 = 2 ** 16;
const WORDS = 2 ** 32;

/**
 * Fast source for simulations, seeded from another source. Its numbers stay secret, so it need not be cryptographic.
 * @example
 * ```ts
 * import { cryptoSource, QuickSource } from "duello/bots";
 *
 * const quick = new QuickSource(cryptoSource);
 * const seed = quick.bytes(32);
 * quick.below(6) < 6; // => true
 * ```
 */
export class QuickSource implements RandomSource {
  private readonly state: Uint32Array;

  constructor(source: RandomSource) {
    this.state = Uint32Array.from({ length: 4 }, () => source.below(BITS_16) * BITS_16 + source.below(BITS_16));
  }

  below(n: number): number {
    return Math.floor((this.next() / WORDS) * n);
  }

  /** Returns random bytes, e.g. a seed for an engine's dice. */
  bytes(length: number): Uint8Array {
    return Uint8Array.from({ length }, () => this.next() >>> 24);
  }

  /** Returns 32 random bits of Chris Doty-Humphrey's generator sfc32. */
  private next(): number {
    const { state } = this;
    const [a, b, c, counter] = state;
    const result = (a + b + counter) >>> 0;
    state[0] = b ^ (b >>> 9);
    state[1] = c + (c << 3);
    state[2] = ((c << 21) | (c >>> 11)) + result;
    state[3] = counter + 1;
    return result;
  }
}

/**
 * Picks an item, all equally likely.
 * @throws RangeError for an empty list.
 * @example
 * ```ts
 * import { cryptoSource, pick } from "duello";
 *
 * const move = pick(["rock", "paper", "scissors"], cryptoSource);
 * pick([7], cryptoSource); // => 7
 * ```
 */
export function pick<T>(items: ArrayLike<T>, source: RandomSource): T {
  if (items.length === 0) throw new RangeError("there is nothing to pick from");
  return items[source.below(items.length)];
}

/**
 * Picks the index of a weight with a probability proportional to the weight; weights need not sum up to 1.
 * @throws RangeError if all weights are 0.
 * @example
 * ```ts
 * import { cryptoSource, pickWeighted } from "duello";
 *
 * pickWeighted([0, 1, 0], cryptoSource); // => 1
 * ```
 */
export function pickWeighted(weights: readonly number[], source: RandomSource): number {
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  let rest = ((source.below(BITS_21) * BITS_21 + source.below(BITS_21)) / BITS_21 ** 2) * total;
  const place = weights.findIndex((weight) => (rest -= weight) < 0);
  if (place < 0) throw new RangeError("there is nothing to pick from");
  return place;
}

/**
 * Shuffles items in place, all orders equally likely.
 * @returns The same array.
 * @example
 * ```ts
 * import { cryptoSource, shuffle } from "duello";
 *
 * const team = shuffle([1, 2, 3, 4, 5], cryptoSource);
 * team.length; // => 5
 * ```
 */
export function shuffle<T>(items: T[], source: RandomSource): T[] {
  for (let i = items.length - 1; i > 0; i--) {
    const j = source.below(i + 1);
    [items[i], items[j]] = [items[j], items[i]];
  }
  return items;
}
