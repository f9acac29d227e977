import { AbiCoder, dataSlice, keccak256 } from "ethers";
import type { Hex } from "./hex.js";
import { termsHash, type Terms } from "./terms.js";

/** Bytes of a fingerprint: as many as the arena can store. */
export const FINGERPRINT_BYTES = 5;

/** An offer, as seen by the player who accepts it. */
export interface Offer {
  matchId: bigint;
  terms: Terms;
  /** Address of the challenger. */
  player1: string;
  /** Fingerprint of the data that player 1 created the match with, 5 bytes. */
  fingerprint: Hex;
}

/**
 * Returns the offer in a match's record.
 * @example
 * ```ts
 * import { fingerprintOf, offerOf } from "duello";
 *
 * const { matchId, player1, fingerprint } = offerOf(record);
 * fingerprint === fingerprintOf(record.createData); // => true
 * ```
 */
export function offerOf({
  matchId,
  terms,
  player1,
  createData,
}: Omit<Offer, "fingerprint"> & { createData: Hex }): Offer {
  return { matchId, terms, player1, fingerprint: fingerprintOf(createData) };
}

/**
 * Computes the 5-byte fingerprint that the arena stores for the data that player 1 created a match with.
 * @example
 * ```ts
 * import { fingerprintOf } from "duello";
 *
 * fingerprintOf("0x00"); // => "0xbc36789e7a"
 * ```
 */
export function fingerprintOf(data: Hex): Hex {
  return dataSlice(keccak256(data), 0, FINGERPRINT_BYTES);
}

/**
 * Computes the hash of an offer for `fund`, `join` and an ERC-1363 order. It does not depend on the number of the
 * match, which a reorganisation may change.
 * @example
 * ```ts
 * import { offerHash } from "duello";
 *
 * offerHash(offer); // => "0x5f210729…"
 * offerHash({ ...offer, terms: { ...terms, clock: 60n } }) === offerHash(offer); // => false
 * ```
 */
export function offerHash({ terms, player1, fingerprint }: Omit<Offer, "matchId">): Hex {
  const parts = [termsHash(terms), player1, fingerprint];
  return keccak256(AbiCoder.defaultAbiCoder().encode(["bytes32", "address", "bytes5"], parts));
}
