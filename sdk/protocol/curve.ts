import { concat, getBytes, SigningKey } from "ethers";
import { hexOf } from "./bytes.js";

/** Implementation of signatures on the curve secp256k1. */
export interface Curve {
  /**
   * Signs 32 bytes with a private key. The nonce follows RFC 6979, so that equal digests give equal signatures.
   * @returns `r 32 || s 32` with a low s, and the parity of the point with coordinate r
   */
  sign(digest: Uint8Array, privateKey: Uint8Array): { signature: Uint8Array; recoveryId: number };
  /**
   * Recovers the public key that signed 32 bytes.
   * @param signature `r 32 || s 32` with a low s
   * @returns `4 1 || x 32 || y 32`; null if no key can have made the signature
   */
  recover(digest: Uint8Array, signature: Uint8Array, recoveryId: 0 | 1): Uint8Array | null;
}

/** Curve of ethers, which runs everywhere. */
export const ethersCurve: Curve = {
  sign(digest, privateKey) {
    const { r, s, yParity } = new SigningKey(privateKey).sign(digest);
    return { signature: getBytes(concat([r, s])), recoveryId: yParity };
  },
  recover(digest, signature, recoveryId) {
    const [r, s] = [hexOf(signature.subarray(0, 32)), hexOf(signature.subarray(32))];
    try {
      return getBytes(SigningKey.recoverPublicKey(digest, { r, s, v: 27 + recoveryId }));
    } catch {
      return null;
    }
  },
};

let chosen = ethersCurve;

/** Returns the curve that this program uses. */
export function curve(): Curve {
  return chosen;
}

/** Makes this program use another implementation of the curve. */
export function useCurve(other: Curve): void {
  chosen = other;
}
