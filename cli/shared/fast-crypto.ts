import { createRequire } from "node:module";
import { keccak256 } from "ethers";
import type * as Tiny from "tiny-secp256k1";
import { useCurve, type Curve } from "../../sdk/protocol/curve.js";
import { fastHasher, keccak } from "../../sdk/protocol/hash.js";

/** Function of the package `secp256k1`. */
interface Native {
  ecdsaRecover(signature: Uint8Array, recoveryId: number, digest: Uint8Array, isCompressed: boolean): Uint8Array;
}

const load = createRequire(import.meta.url);
let loaded: typeof Tiny | undefined;

/** Loads WebAssembly on the first use: it takes longer than most commands that sign nothing. */
const tiny = () => (loaded ??= load("tiny-secp256k1") as typeof Tiny);

/** Curve in WebAssembly, which is several times faster than that of ethers. */
export const wasmCurve: Curve = {
  sign: (digest, privateKey) => tiny().signRecoverable(digest, privateKey),
  recover: (digest, signature, recoveryId) => unlessInvalid(() => tiny().recover(digest, signature, recoveryId, false)),
};

/**
 * Returns the recovery of keys by a native module, which is faster again; undefined if there is no binary for this
 * machine. The module signs nothing: for digests beyond the curve's order, its signatures differ from those of ethers.
 */
export function nativeRecover(): Curve["recover"] | undefined {
  let native: Native;
  try {
    // The main module of the package would fall back to a slow implementation in JavaScript.
    native = load("secp256k1/bindings.js") as Native;
  } catch {
    return undefined;
  }
  return (digest, signature, recoveryId) =>
    unlessInvalid(() => native.ecdsaRecover(signature, recoveryId, digest, false));
}

/** Returns null if a number is out of range, or no point of the curve has such a coordinate. */
function unlessInvalid(recover: () => Uint8Array | null): Uint8Array | null {
  try {
    return recover();
  } catch {
    return null;
  }
}

/**
 * Makes a program of Node hash and sign by WebAssembly, once that is compiled, and recover keys by a native module where
 * there is one. Where WebAssembly is forbidden, the program goes on with ethers.
 */
export async function useFastCrypto(): Promise<void> {
  if (!(await fastHasher)) return;
  useCurve({ ...wasmCurve, recover: nativeRecover() ?? wasmCurve.recover });
  keccak256.register(keccak);
}
