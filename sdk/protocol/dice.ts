import { toBigInt, type BigNumberish, type BytesLike } from "ethers";
import { bytesOf, hexOf } from "./bytes.js";
import { hashWords, keccak } from "./hash.js";

const MAX_SIDES = 2 ** 21;

/**
 * The seed of a committed round, 0x and 64 lowercase hex digits:
 * keccak256(abi.encode(matchId, round, salt1, salt2)). Rounds start at 1; salt1 is player 1's, whoever committed.
 */
export function seedOf(matchId: BigNumberish, round: BigNumberish, salt1: BytesLike, salt2: BytesLike): string {
  return hexOf(hashWords(BigInt(matchId), BigInt(round), salt1, salt2));
}

/** All dice of a round: a pure function of its seed (32 bytes), open at any place in any order. */
export class Dice {
  private readonly preimage = new Uint8Array(64);
  private readonly index = new DataView(this.preimage.buffer, 60);

  constructor(seed: BytesLike) {
    const bytes = bytesOf(seed);
    if (bytes.length !== 32) throw new RangeError(`a seed has 32 bytes, not ${bytes.length}`);
    this.preimage.set(bytes);
  }

  /** word(seed, n), for n below 2^32. */
  roll(n: number): Roll {
    this.index.setUint32(0, n);
    return new Roll(keccak(this.preimage));
  }
}

/** One 256-bit word of dice. */
export class Roll {
  constructor(private readonly bytes: Uint8Array) {}

  /** lane(word, k, m): the k-th 64 bits (k = 0..3, from the lowest) modulo m. RangeError above m = 2^21. */
  lane(k: number, m: number): number {
    // Up to here no step below passes 2^53, so plain numbers are exact.
    if (m > MAX_SIDES) throw new RangeError(`${m} sides are above ${MAX_SIDES}`);
    const at = 24 - 8 * k;
    return ((this.uint32(at) % m) * 2 ** 32 + this.uint32(at + 4)) % m;
  }

  /** The whole word, for games that cut it otherwise. */
  get word(): bigint {
    return toBigInt(this.bytes);
  }

  private uint32(at: number): number {
    const { bytes } = this; // a DataView for every roll would cost as much as its hash
    return ((bytes[at] << 24) | (bytes[at + 1] << 16) | (bytes[at + 2] << 8) | bytes[at + 3]) >>> 0;
  }
}
