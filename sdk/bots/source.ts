import { randomBytes, toNumber } from "ethers";

/** Where chance comes from: the cryptographic one in use, where moves are at stake; `Chance` in tests. */
export interface Source {
  /** 0..n-1, each as likely as the others, for n up to 2^21. */
  below(n: number): number;
}

/** Makes a source out of numbers 0..range-1, each of them as likely as the others. */
export function sourceFrom(next: () => number, range = 2 ** 48): Source {
  return {
    below(n) {
      // Numbers behind the last multiple would make some more likely.
      const end = range - (range % n);
      let number = next();
      while (number >= end) number = next();
      return number % n;
    },
  };
}

/** Chance that nobody can foresee. */
export const cryptoSource = sourceFrom(() => toNumber(randomBytes(6)));

const BITS_21 = 2 ** 21;
const BITS_16 = 2 ** 16;
const WORDS = 2 ** 32;

/** Quick chance for simulations, begun from another source; never shown to anybody, so it need not be cryptographic. */
export class QuickSource implements Source {
  private readonly state: Uint32Array;

  constructor(source: Source) {
    this.state = Uint32Array.from({ length: 4 }, () => source.below(BITS_16) * BITS_16 + source.below(BITS_16));
  }

  below(n: number): number {
    return Math.floor((this.next() / WORDS) * n);
  }

  restart(seed: number): void {
    this.state.set([seed, 0x9e3779b9, 0x243f6a88, 0xb7e15162]);
    for (let i = 0; i < 8; i++) this.next();
  }

  /** 0 or more, below 1. */
  unit(): number {
    return this.next() / WORDS;
  }

  /** Bytes of chance, a seed for an engine's dice. */
  bytes(length: number): Uint8Array {
    return Uint8Array.from({ length }, () => this.next() >>> 24);
  }

  /** 32 bits, by Doty-Humphrey's sfc32. */
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

/** One of some items. @throws RangeError if there is none. */
export function pick<T>(items: ArrayLike<T>, source: Source): T {
  if (items.length === 0) throw new RangeError("there is nothing to pick from");
  return items[source.below(items.length)];
}

/**
 * The place of one of some weights, as likely as it weighs; they need not sum up to 1. @throws RangeError if nothing
 * weighs anything.
 */
export function pickWeighted(weights: readonly number[], source: Source): number {
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  let rest = ((source.below(BITS_21) * BITS_21 + source.below(BITS_21)) / BITS_21 ** 2) * total;
  const place = weights.findIndex((weight) => (rest -= weight) < 0);
  if (place < 0) throw new RangeError("there is nothing to pick from");
  return place;
}

/** Puts items into any order, in place. */
export function shuffle<T>(items: T[], source: Source): T[] {
  for (let i = items.length - 1; i > 0; i--) {
    const j = source.below(i + 1);
    [items[i], items[j]] = [items[j], items[i]];
  }
  return items;
}
