import { concat, keccak256, toBeHex, ZeroAddress } from "ethers";
import type { Hex } from "./hex.js";

/** Address that stands for the chain's coin in place of a token. */
export const COIN = ZeroAddress;

/** Terms of a match, which both players agree on. */
export interface Terms {
  /** Address of the game. */
  game: string;
  /** Stake of player 1, in the token's smallest unit. */
  stake1: bigint;
  /** Address of the token; zero for the chain's coin. */
  token: string;
  /** Stake of player 2, in the token's smallest unit. */
  stake2: bigint;
  /** Hash of the mode's content; zero for the game's default mode. */
  mode: Hex;
  /** Seconds that a player has for its moves. */
  clock: bigint;
  /** House fee, in basis points of the pot. */
  feeBps: bigint;
  /** True if the match counts for the ladder. */
  rated: boolean;
}

/** Seconds of a day. */
export const DAY = 86_400n;

/** Shortest clock, in seconds. */
export const MIN_CLOCK = 60n;

/** Longest clock, in seconds. */
export const MAX_CLOCK = 30n * DAY;

/** Maximum lifetime of an offer, in seconds: a soft offer lasts this long, a firm offer at most this long. */
export const OFFER_LIFE = 30n * DAY;

/**
 * Returns the last second in which an offer can be taken.
 * @param firmUntil End of a firm offer; 0 for any other offer.
 * @example
 * ```ts
 * import { OFFER_LIFE, offerDeadline } from "duello";
 *
 * offerDeadline(0n, 1_893_456_000n); // => 1_893_456_000n + OFFER_LIFE
 * offerDeadline(1_893_459_600n, 1_893_456_000n); // => 1_893_459_600n
 * ```
 */
export function offerDeadline(firmUntil: bigint, createdAt: bigint): bigint {
  return firmUntil === 0n ? createdAt + OFFER_LIFE : firmUntil;
}

/** Divisor of the clock: each action returns this part of the clock to the player. */
export const INCREMENT_DIVISOR = 32n;

/** Basis points of 100 %. */
export const BPS = 10_000n;

/** Maximum house fee, in basis points. */
export const MAX_FEE_BPS = 2000n;

/**
 * Computes the hash that identifies terms outside the arena: keccak256(abi.encode(terms)).
 * @example
 * ```ts
 * import { termsHash } from "duello";
 *
 * termsHash(terms); // => "0x0a686566…"
 * ```
 */
export function termsHash({ game, stake1, token, stake2, mode, clock, feeBps, rated }: Terms): Hex {
  // AbiCoder takes almost three times as long, which matters if a whole chain's terms are hashed.
  const words = [game, stake1, token, stake2, mode, clock, feeBps, rated].map((each) => toBeHex(BigInt(each), 32));
  return keccak256(concat(words));
}
