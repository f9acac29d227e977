import {
  computeAddress,
  concat,
  dataSlice,
  keccak256,
  N,
  SigningKey,
  TypedDataEncoder,
  type TypedDataDomain,
  type TypedDataField,
} from "ethers";
import { bytesOf } from "./bytes.js";
import type { Hex } from "./hex.js";

/** EIP-712 typed data, in the format of a signer's `signTypedData`. */
export interface SigningRequest {
  domain: TypedDataDomain;
  types: Record<string, TypedDataField[]>;
  value: Record<string, unknown>;
}

/** Bytes of the signature of an ordinary account or of a key. */
export const SIGNATURE_BYTES = 65;

/** Computes the digest that the signer of a request signs. */
export function digestOf({ domain, types, value }: SigningRequest): Hex {
  return keccak256(concat(["0x1901", domainHashOf(domain), encoderOf(types).hash(value)]));
}

/** Signs a request, and caches its signer, which need not be recovered later. */
export function signatureOf(key: SigningKey, request: SigningRequest): Hex {
  const digest = digestOf(request);
  const { serialized } = key.sign(digest);
  remember(digest + serialized, computeAddress(key));
  return serialized;
}

/** Encoders by their types, and hashes of domains, cached because creating them takes longer than a digest. */
const encoders = new WeakMap<SigningRequest["types"], TypedDataEncoder>();
const domainHashes = new Map<string, Hex>();

/** Number of domains to keep: a program has one or two. */
const MAX_DOMAINS = 16;

function encoderOf(types: SigningRequest["types"]): TypedDataEncoder {
  const known = encoders.get(types) ?? TypedDataEncoder.from(types);
  encoders.set(types, known);
  return known;
}

function domainHashOf(domain: TypedDataDomain): Hex {
  const name = JSON.stringify(Object.entries(domain).map(([field, value]) => [field, String(value)]));
  const known = domainHashes.get(name) ?? TypedDataEncoder.hashDomain(domain);
  if (domainHashes.size === MAX_DOMAINS) domainHashes.clear();
  domainHashes.set(name, known);
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
  const [r, s] = [dataSlice(signature, 0, 32), dataSlice(signature, 32, 64)];
  const v = Number(dataSlice(signature, 64));
  if ((v !== 27 && v !== 28) || BigInt(s) > N / 2n) return undefined;
  try {
    return computeAddress(SigningKey.recoverPublicKey(digest, { r, s, v }));
  } catch {
    // No point of the curve has such an x coordinate.
    return undefined;
  }
}
