import {
  concat,
  dataLength,
  keccak256,
  N,
  Signature,
  SigningKey,
  toBeHex,
  toUtf8Bytes,
  computeAddress,
  type Signer,
} from "ethers";
import { appointmentRequest, digestOf, type AwayMatch, type SigningRequest } from "../../protocol/away/signatures.js";
import type { Hex } from "../../protocol/hex.js";
import type { Keys } from "../secrets.js";

const AWAY_LABEL = toUtf8Bytes("Duello away");

/** Signer of a seat: what it signs counts for the player by the arena's rules. */
export interface AwaySigner {
  /** Signs a request, in 65 bytes or 130. */
  sign(request: SigningRequest): Promise<Hex>;
}

/**
 * Derives the private key that signs for a player in one match, so that the wallet is asked once a match, and the key is
 * found again after all local data is gone. It tells nothing of the secret key.
 * @param keys Keys as `walletKeys` returns them, or a random one.
 */
export function awayKey(
  keys: Keys,
  { chainId, arena, matchId }: Pick<AwayMatch, "chainId" | "arena" | "matchId">,
): Hex {
  const [key] = [keys].flat();
  return keccak256(concat([key, AWAY_LABEL, toBeHex(chainId, 32), arena, toBeHex(matchId, 32)]));
}

/** Returns a signer that asks the player's wallet each time. */
export function walletSigner(wallet: Signer): AwaySigner {
  return { sign: (request) => walletSignature(wallet, request) };
}

/** Returns the signer of a key that the player has pledged on chain. @param key The private key. */
export function pledgedSigner(key: Hex): AwaySigner {
  const signing = new SigningKey(key);
  return { sign: async (request) => signing.sign(digestOf(request)).serialized };
}

/**
 * Returns the signer of a session key.
 * @param key The private key.
 * @param appointment The player's signature that appoints it, as `appoint` returns it.
 */
export function sessionSigner(key: Hex, appointment: Hex): AwaySigner {
  const signing = new SigningKey(key);
  return { sign: async (request) => concat([signing.sign(digestOf(request)).serialized, appointment]) };
}

/**
 * Has the player's wallet appoint a session key for one match.
 * @param key The private key of the session.
 * @returns The signature, which is good for this key as long as the match lasts.
 * @throws Error for a wallet that does not sign as an ordinary account.
 */
export async function appoint(
  wallet: Signer,
  { chainId, arena, matchId }: Pick<AwayMatch, "chainId" | "arena" | "matchId">,
  key: Hex,
): Promise<Hex> {
  return walletSignature(wallet, appointmentRequest(chainId, arena, matchId, computeAddress(key)));
}

/** Asks a wallet for a signature, in the only form that the arena takes. */
async function walletSignature(wallet: Signer, { domain, types, value }: SigningRequest): Promise<Hex> {
  return plainSignature(await wallet.signTypedData(domain, types, value));
}

/**
 * Turns the signature of an ordinary account, in whichever encoding, into 65 bytes with a low s and v 27 or 28.
 * @throws Error for any other signature.
 */
export function plainSignature(signature: Hex): Hex {
  const refusal = new Error(
    "The wallet does not sign as an ordinary account: pledge a key, which signs for it in this match.",
  );
  if (dataLength(signature) !== 65 && dataLength(signature) !== 64) throw refusal;
  const high = dataLength(signature) === 65 && BigInt(`0x${signature.slice(66, 130)}`) > N / 2n;
  try {
    return Signature.from(high ? lowered(signature) : signature).serialized;
  } catch {
    throw refusal;
  }
}

/** Replaces a high s by the low one, and the parity by the other one. */
function lowered(signature: Hex): Hex {
  const s = N - BigInt(`0x${signature.slice(66, 130)}`);
  const v = Number(`0x${signature.slice(130)}`);
  return concat([signature.slice(0, 66), toBeHex(s, 32), toBeHex(v < 27 ? 28 - v : 55 - v, 1)]);
}
