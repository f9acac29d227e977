import { toBigInt, type BigNumberish, type BytesLike } from "ethers";
import { bytesOf, hexOf, WORD_BYTES } from "./bytes.js";
import { hashWords, keccak } from "./hash.js";

const MAX_SIDES = 2 ** 21;

/**
 * Computes the seed of a committed round as 0x and 64 lowercase hex digits:
 * keccak256(abi.encode(matchId, round, salt1, salt2)).
 * @param round From 1.
 * @param salt1 Salt of player 1, even in a round to which player 2 commits.
 * @param salt2 Salt of player 2.
 * @throws RangeError for a salt that is not 32 bytes long.
 * @example
 * ```ts
 * import { seedOf } from "duello";
 *
 * seedOf(7n, 1, salt, otherSalt); // => "0x7840f300…"
 * ```
 */
export function seedOf(matchId: BigNumberish, round: BigNumberish, salt1: BytesLike, salt2: BytesLike): string {
  return hexOf(hashWords(BigInt(matchId), BigInt(round), salt1, salt2));
}

/**
 * The dice of a round, a pure function of the round's 32-byte seed: they can be rolled in any order.
 * @example
 * ```ts
 * import { Dice, seedOf } from "duello";
 *
 * const dice = new Dice(seedOf(7n, 1, salt, otherSalt));
 * const side = dice.roll(0).lane(0, 6) + 1; // => 1
 * ```
 */
export class Dice {
  private readonly preimage = new Uint8Array(64);
  private readonly index = new DataView(this.preimage.buffer, 60);

  /** @throws RangeError unless the seed has 32 bytes. */
  constructor(seed: BytesLike) {
    const bytes = bytesOf(seed);
    if (bytes.length !== WORD_BYTES) throw new RangeError(`a seed has ${WORD_BYTES} bytes, not ${bytes.length}`);
    this.preimage.set(bytes);
  }

  /** Rolls word(seed, n), the dice with number `n`, which is below 2^32. */
  roll(n: number): Roll {
    this.index.setUint32(0, n);
    return new Roll(keccak(this.preimage));
  }
}

/**
 * A 256-bit word of dice.
 * @example
 * ```ts
 * import { Dice, Roll, seedOf } from "duello";
 *
 * const roll: Roll = new Dice(seedOf(7n, 1, salt, otherSalt)).roll(3);
 * roll.lane(1, 100) < 100; // => true
 * ```
 */
export class Roll {
  constructor(private readonly bytes: Uint8Array) {}

  /**
   * Returns lane(word, k, m): the k-th 64 bits modulo m.
   * @param k 0 to 3, from the lowest bits.
   * @throws RangeError for m above 2^21.
   */
  lane(k: number, m: number): number {
    // Up to this bound no step exceeds 2^53, so plain numbers are exact.
    if (m > MAX_SIDES) throw new RangeError(`${m} sides are above ${MAX_SIDES}`);
    const at = 24 - 8 * k;
    return ((this.uint32(at) % m) * 2 ** 32 + this.uint32(at + 4)) % m;
  }

  /** The whole word, for games that use other bits than lanes. */
  get word(): bigint {
    return toBigInt(this.bytes);
  }

  private uint32(at: number): number {
    const { bytes } = this;
    // A DataView for every roll would cost as much as the roll's hash.
    return ((bytes[at] << 24) | (bytes[at + 1] << 16) | (bytes[at + 2] << 8) | bytes[at + 3]) >>> 0;
  }
}
