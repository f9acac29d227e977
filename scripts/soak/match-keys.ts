import { computeAddress, id } from "ethers";
import {
  appoint,
  awayKey,
  pledgedSigner,
  sessionSigner,
  walletSigner,
  type AwaySigner,
} from "../../sdk/player/away/signers.js";
import type { AwayMatch } from "../../sdk/protocol/away/signatures.js";
import type { Hex } from "../../sdk/protocol/hex.js";
import type { Player } from "./player.js";

/** Ways in which players sign in a match: by their wallet, by a session key, by a key that they pledge on chain. */
export const WAYS_TO_SIGN = ["wallet", "session", "pledged"] as const;

export type WayToSign = (typeof WAYS_TO_SIGN)[number];

/** Facts of a match on which its keys depend. */
export type KeyPlace = Pick<AwayMatch, "chainId" | "arena" | "matchId">;

/** A match and its players. */
interface Seated {
  readonly matchId: bigint;
  readonly seats: readonly [Player, Player];
}

/** Returns the facts on which the keys of a match depend. */
export function keyPlaceOf({ matchId, seats: [{ client }] }: Seated): KeyPlace {
  return { chainId: client.chainId, arena: client.addresses.Arena, matchId };
}

/** Returns the private key of a player for a match. */
function keyIn(match: KeyPlace, { address }: Player): Hex {
  return awayKey(id(`keys of ${address}`), match);
}

/** Returns the address that a player pledges for a match. */
export function addressIn(match: KeyPlace, player: Player): string {
  return computeAddress(keyIn(match, player));
}

/** Returns a player's signer in a match. A pledged key does not count before it is pledged. */
export async function signerIn(match: KeyPlace, player: Player, way: WayToSign): Promise<AwaySigner> {
  const { signer } = player.client;
  if (way === "wallet") return walletSigner(signer);
  const key = keyIn(match, player);
  return way === "pledged" ? pledgedSigner(key) : sessionSigner(key, await appoint(signer, match, key));
}
