import { createRequire } from "node:module";
import { keccak256 } from "ethers";
import type * as Tiny from "tiny-secp256k1";
import { useCurve, type Curve } from "../../sdk/protocol/curve.js";
import { fastHasher, keccak } from "../../sdk/protocol/hash.js";

const load = createRequire(import.meta.url);
let loaded: typeof Tiny | undefined;

/** Loads WebAssembly on the first use: it takes longer than most commands that sign nothing. */
const tiny = () => (loaded ??= load("tiny-secp256k1") as typeof Tiny);

/** Curve in WebAssembly, which is several times faster than that of ethers. */
export const wasmCurve: Curve = {
  sign: (digest, privateKey) => tiny().signRecoverable(digest, privateKey),
  recover(digest, signature, recoveryId) {
    const { recover } = tiny();
    try {
      return recover(digest, signature, recoveryId, false);
    } catch {
      // A number is out of range, or no point of the curve has such a coordinate.
      return null;
    }
  },
};

/**
 * Makes a program of Node sign, recover and hash by WebAssembly, once that is compiled. Where WebAssembly is forbidden,
 * the program goes on with ethers.
 */
export async function useFastCrypto(): Promise<void> {
  if (!(await fastHasher)) return;
  useCurve(wasmCurve);
  keccak256.register(keccak);
}
