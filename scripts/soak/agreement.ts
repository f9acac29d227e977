import { hexlify, ZeroHash } from "ethers";
import { agreementRequest, NEVER, type Agreement } from "../../sdk/protocol/away/signatures.js";
import { termsHash } from "../../sdk/protocol/terms.js";
import type { Signatures } from "../../sdk/player/calls.js";
import { signerIn, type KeyPlace, type WayToSign } from "./match-keys.js";
import type { Player } from "./player.js";
import type { SeatedMatch } from "./seated-match.js";

/** Seconds for which an agreement holds, if not for ever. */
const LIFETIME = 600;

/** Draws an agreement to a result. @param winner As in `Seat`. */
export function agreementOn(match: SeatedMatch, winner: bigint): Agreement {
  const { matchId, terms, world } = match;
  const { chain, random } = world;
  const until = random.likely(50) ? NEVER : BigInt(chain.now + LIFETIME);
  const record = random.likely(50) ? ZeroHash : hexlify(random.bytes(32));
  return { matchId, termsHash: termsHash(terms), winner, until, record };
}

/**
 * Signs an agreement.
 * @param signers Who signs for player 1 and player 2.
 * @param place Facts of the match that the signatures name.
 */
export async function signaturesOf(
  agreement: Agreement,
  signers: readonly [Player, Player],
  ways: readonly [WayToSign, WayToSign],
  place: KeyPlace,
): Promise<Signatures> {
  const request = agreementRequest(place.chainId, place.arena, agreement);
  const sign = async (side: 0 | 1) => (await signerIn(place, signers[side], ways[side])).sign(request);
  return { signature1: await sign(0), signature2: await sign(1) };
}

/** Returns the arguments of `settle`. */
export function settleArgs(agreement: Agreement, { signature1, signature2 }: Signatures): unknown[] {
  const { matchId, termsHash, winner, until, record } = agreement;
  return [matchId, termsHash, winner, until, record, signature1, signature2];
}
