import { setTimeout as pause } from "node:timers/promises";
import { expect } from "chai";
import { computeAddress, concat, getBytes, hexlify, keccak256, N, SigningKey, toBeHex } from "ethers";
import { exitCodeOf, programOf } from "../../cli/shared/command/program.js";
import { nativeRecover, useFastCrypto, wasmCurve } from "../../cli/shared/fast-crypto.js";
import { bytesOf } from "../../sdk/protocol/bytes.js";
import { Random } from "../../sdk/laws/random.js";
import { curve, ethersCurve, useCurve, type Curve } from "../../sdk/protocol/curve.js";
import { signerOf } from "../../sdk/protocol/signing.js";

const ONE = bytes(1n);
const LAST = bytes(N - 1n);

/** Values around the bounds of s, and around those of r and digests. */
const LOW = [0n, 1n, 2n, N / 2n].map(bytes);
const EDGES = [...LOW, ...[N / 2n + 1n, N - 1n, N, N + 1n, 2n ** 256n - 1n].map(bytes)];

/** Coordinate x of the curve's generator. */
const GENERATOR = bytesOf("0x79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798");

function bytes(number: bigint): Uint8Array {
  return getBytes(toBeHex(number, 32));
}

describe("Cryptography of the command-line programs", () => {
  const random = new Random("fast crypto");
  const word = () => bytesOf(random.word());

  it("signs the same bytes as ethers", () => {
    for (const key of [ONE, LAST, word(), word()]) {
      for (const digest of [...EDGES, ...Array.from({ length: 20 }, word)]) {
        const { signature, recoveryId } = wasmCurve.sign(digest, key);
        expect({ signature: new Uint8Array(signature), recoveryId }).to.deep.equal(ethersCurve.sign(digest, key));
      }
    }
  });

  for (const [name, found] of [
    ["WebAssembly", wasmCurve.recover],
    ["a native module", nativeRecover()],
  ] as const) {
    describe(`with keys recovered by ${name}`, () => {
      let recover: Curve["recover"];
      before(function () {
        // The native module has binaries for the most common platforms only.
        if (found) recover = found;
        else this.skip();
      });

      function expectSame(digest: Uint8Array, signature: Uint8Array): void {
        for (const recoveryId of [0, 1] as const) {
          const expected = ethersCurve.recover(digest, signature, recoveryId);
          expect(recover(digest, signature, recoveryId)).to.deep.equal(expected);
        }
      }

      it("recovers the same keys as ethers from valid signatures", () => {
        for (let i = 0; i < 100; i++) {
          const digest = word();
          expectSame(digest, wasmCurve.sign(digest, word()).signature);
        }
      });

      it("rejects the same signatures as ethers, whichever number is out of range or not on the curve", () => {
        for (const r of [...EDGES, GENERATOR, ...Array.from({ length: 20 }, word)]) {
          for (const s of LOW) {
            for (const digest of [ONE, bytes(N), word()]) expectSame(digest, Uint8Array.of(...r, ...s));
          }
        }
      });

      it("rejects a signature whose key would be the point at infinity", () => {
        const s = bytes(2n);
        // R is the generator, so that s R - digest G is zero.
        const signature = Uint8Array.of(...GENERATOR, ...s);
        for (const each of [recover, ethersCurve.recover]) expect(each(s, signature, 0)).to.equal(null);
      });
    });
  }

  describe("when a program runs", () => {
    afterEach(() => useCurve(ethersCurve));

    it("accepts signatures only with a low s and with v 27 or 28", async () => {
      await useFastCrypto();
      const digest = random.word();
      const key = new SigningKey(random.word());
      const { r, s, v } = key.sign(digest);
      const signer = (s: bigint, v: number) => signerOf(digest, concat([r, toBeHex(s, 32), toBeHex(v, 1)]));
      expect(signer(BigInt(s), v)).to.equal(computeAddress(key));
      for (const wrong of [0, 1, 26, 29]) expect(signer(BigInt(s), wrong)).to.equal(undefined);
      expect(signer(N - BigInt(s), 55 - v)).to.equal(undefined);
    });

    it("uses a faster curve than that of ethers once WebAssembly is compiled", async () => {
      await exitCodeOf(
        programOf("test", "A program.").action(() => undefined),
        [],
      );
      while (curve() === ethersCurve) await pause(1);
    });

    it("hashes like ethers", async () => {
      const texts = Array.from({ length: 300 }, (_, i) => random.note(i));
      // Not `keccak256`, which may hash by WebAssembly already.
      const expected = texts.map((text) => hexlify(keccak256._(getBytes(text))));
      await useFastCrypto();
      expect(texts.map((text) => keccak256(text))).to.deep.equal(expected);
    });
  });
});
