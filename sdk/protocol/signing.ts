import { computeAddress, N, type SigningKey } from "ethers";
import { checksumAddress } from "./address.js";
import { ADDRESS_BYTES, bytesOf, hexOf, WORD_BYTES } from "./bytes.js";
import { curve } from "./curve.js";
import { keccak } from "./hash.js";
import type { Hex } from "./hex.js";
import { digestOf, type SigningRequest } from "./typed-data.js";

/** Bytes of the signature of an ordinary account or of a key. */
export const SIGNATURE_BYTES = 65;

/** Highest s of a valid signature. */
const MAX_S = N / 2n;

/** Signs a request, and caches its signer, which need not be recovered later. */
export function signatureOf(key: SigningKey, request: SigningRequest): Hex {
  const digest = digestOf(request);
  const { signature, recoveryId } = curve().sign(bytesOf(digest), bytesOf(key.privateKey));
  const serialized = hexOf(Uint8Array.of(...signature, 27 + recoveryId));
  remember(digest + serialized, addressOf(key));
  return serialized;
}

/** Addresses of keys, cached because computing one takes longer than a signature. */
const addresses = new WeakMap<SigningKey, string>();

function addressOf(key: SigningKey): string {
  const known = addresses.get(key) ?? computeAddress(key);
  addresses.set(key, known);
  return known;
}

/**
 * Returns the address that signed a digest. The signature is `r 32 || s 32 || v 1` with a low s and v 27 or 28. Returns
 * undefined if the signature is invalid.
 */
export function signerOf(digest: Hex, signature: Hex): string | undefined {
  if (bytesOf(signature).length !== SIGNATURE_BYTES) return undefined;
  const signed = digest + signature;
  if (!recovered.has(signed)) remember(signed, recover(digest, signature));
  return recovered.get(signed);
}

function remember(signed: string, signer: string | undefined): void {
  if (recovered.size === MAX_RECOVERED) recovered.clear();
  recovered.set(signed, signer);
}

/** Signers of checked signatures. Recovering one takes milliseconds, and logs and relays repeat the same messages. */
const recovered = new Map<string, string | undefined>();

/** Number of signers to keep, which take a few hundred bytes each. */
const MAX_RECOVERED = 10_000;

function recover(digest: Hex, signature: Hex): string | undefined {
  const bytes = bytesOf(signature);
  const [v, s] = [bytes[SIGNATURE_BYTES - 1], bytes.subarray(WORD_BYTES, 2 * WORD_BYTES)];
  if ((v !== 27 && v !== 28) || BigInt(hexOf(s)) > MAX_S) return undefined;
  const key = curve().recover(bytesOf(digest), bytes.subarray(0, 2 * WORD_BYTES), v === 27 ? 0 : 1);
  if (key === null) return undefined;
  return checksumAddress(hexOf(keccak(key.subarray(1)).subarray(-ADDRESS_BYTES)).slice(2));
}
