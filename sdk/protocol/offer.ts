import { AbiCoder, dataSlice, keccak256 } from "ethers";
import type { Hex } from "./hex.js";
import { termsHash, type Terms } from "./terms.js";

/** Bytes of a fingerprint: what the arena has room for. */
const FINGERPRINT = 5;

/** An offer as whoever takes it has seen it. */
export interface Offer {
  matchId: bigint;
  terms: Terms;
  player1: string;
  /** Of what player 1 brought. */
  fingerprint: Hex;
}

/** The offer that a match's events tell of. */
export function offerOf({
  matchId,
  terms,
  player1,
  createData,
}: Omit<Offer, "fingerprint"> & { createData: Hex }): Offer {
  return { matchId, terms, player1, fingerprint: fingerprintOf(createData) };
}

/** What the arena keeps of what player 1 brought. */
export function fingerprintOf(data: Hex): Hex {
  return dataSlice(keccak256(data), 0, FINGERPRINT);
}

/** The hash by which `fund`, `join` and an ERC-1363 order name an offer, whatever number it has by then. */
export function offerHash({ terms, player1, fingerprint }: Omit<Offer, "matchId">): Hex {
  const parts = [termsHash(terms), player1, fingerprint];
  return keccak256(AbiCoder.defaultAbiCoder().encode(["bytes32", "address", "bytes5"], parts));
}
