import { expect } from "chai";
import { computeAddress, concat, getBytes, N, SigningKey, toBeHex, TypedDataEncoder } from "ethers";
import { Random } from "../../../sdk/laws/random.js";
import { ethersCurve, useCurve } from "../../../sdk/protocol/curve.js";
import type { Hex } from "../../../sdk/protocol/hex.js";
import { signatureOf, signerOf } from "../../../sdk/protocol/signing.js";
import { digestOf, structHashOf, type SigningRequest } from "../../../sdk/protocol/typed-data.js";

const domain = { name: "Test", version: "1", chainId: 31337n, verifyingContract: `0x${"11".repeat(20)}` };
const types = {
  Thing: [
    { name: "hash", type: "bytes32" },
    { name: "data", type: "bytes" },
    { name: "owner", type: "address" },
    { name: "small", type: "uint24" },
    { name: "large", type: "uint256" },
    { name: "flag", type: "bool" },
  ],
};

/** Number of digests and domains that no earlier test or run has used: hashes and signers are remembered. */
let digests = 0;

describe("Typed data", () => {
  it("has another digest in each domain", () => {
    const value = { flag: true };
    for (let i = 0; i < 2; i++) {
      const other = { ...domain, version: String(++digests) };
      const flag = { Flag: [{ name: "flag", type: "bool" }] };
      expect(digestOf({ domain: other, types: flag, value })).to.equal(TypedDataEncoder.hash(other, flag, value));
    }
  });

  const random = new Random("typed data");
  const request = (i: number): SigningRequest => ({
    domain: { ...domain, chainId: BigInt(i % 3) },
    types,
    value: {
      hash: random.word(),
      data: random.note(i),
      owner: computeAddress(new SigningKey(random.word())),
      small: i % 2 === 0 ? 2 ** 24 - 1 : 0n,
      large: BigInt(random.word()),
      flag: i % 2 === 0,
    },
  });

  it("has the same hashes as in ethers", () => {
    for (let i = 0; i < 20; i++) {
      const { domain, types, value } = request(i);
      expect(digestOf({ domain, types, value })).to.equal(TypedDataEncoder.hash(domain, types, value));
      expect(structHashOf(types, value)).to.equal(TypedDataEncoder.hashStruct("Thing", types, value));
    }
  });

  it("rejects values that their types do not have", () => {
    const { value } = request(1);
    const hash = (changes: object) => () => structHashOf(types, { ...value, ...changes });
    expect(hash({ small: 2 ** 24 })).to.throw(RangeError, "16777216 is not a uint24");
    expect(hash({ small: -1 })).to.throw(RangeError, "-1 is not a uint24");
    expect(hash({ hash: "0x12" })).to.throw(RangeError, "32 bytes, not 1");
    expect(hash({ hash: 5n })).to.throw(TypeError, "5 is not a string");
    expect(hash({ owner: "0x12" })).to.throw(RangeError, "20 bytes, not 1");
    expect(hash({ flag: 1 })).to.throw(TypeError, "1 is not a boolean");
    const other = { Thing: [{ name: "text", type: "string" }] };
    expect(() => structHashOf(other, { text: "a" })).to.throw(TypeError, "the type string is not supported");
    const list = { Thing: [{ name: "sizes", type: "uint8[]" }] };
    expect(() => structHashOf(list, { sizes: [] })).to.throw(TypeError, "the type uint8[] is not supported");
  });
});

describe("Signatures", () => {
  const key = new SigningKey(toBeHex(7, 32));
  const request = { domain, types: { Thing: [{ name: "flag", type: "bool" }] }, value: { flag: true } };
  const digest = digestOf(request);

  it("have the signer that their key has", () => {
    const signature = signatureOf(key, request);
    expect(signature).to.equal(key.sign(digest).serialized);
    // In upper case it is not the one whose signer is remembered.
    expect(signerOf(digest, `0x${signature.slice(2).toUpperCase()}`)).to.equal(computeAddress(key));
  });

  it("of two keys have two signers, also if the same digest is signed", () => {
    const keys = [8, 9].map((number) => new SigningKey(toBeHex(number, 32)));
    const signed = toBeHex(++digests, 32);
    const signers = keys.map((each) => signerOf(signed, each.sign(signed).serialized));
    expect(signers).to.deep.equal(keys.map((each) => computeAddress(each)));
  });

  it("have their signer for both parities, and none if no key can have made them", () => {
    const parities = new Set<number>();
    for (let i = 0; i < 8; i++) {
      const signed = toBeHex(++digests, 32);
      const { serialized, v } = key.sign(signed);
      parities.add(v);
      expect(signerOf(signed, `0x${serialized.slice(2).toUpperCase()}`)).to.equal(computeAddress(key));
    }
    expect(parities).to.deep.equal(new Set([27, 28]));
    // No point of the curve has the coordinate 5.
    const impossible: Hex = `0x${toBeHex(5, 32).slice(2)}${toBeHex(1, 32).slice(2)}1b`;
    expect(signerOf(toBeHex(++digests, 32), impossible)).to.equal(undefined);
  });

  it("are made and checked by the curve that the program chooses", () => {
    const used: string[] = [];
    useCurve({
      sign: (...taken) => {
        used.push("sign");
        return ethersCurve.sign(...taken);
      },
      recover: (...taken) => {
        used.push("recover");
        return ethersCurve.recover(...taken);
      },
    });
    try {
      const flagged = { ...request, domain: { ...domain, version: String(++digests) } };
      const signature = signatureOf(key, flagged);
      signerOf(digestOf(flagged), `0x${signature.slice(2).toUpperCase()}`);
    } finally {
      useCurve(ethersCurve);
    }
    expect(used).to.deep.equal(["sign", "recover"]);
  });

  it("of a new key have its address at once", () => {
    const fresh = new SigningKey(toBeHex(7, 32));
    expect(signerOf(digest, signatureOf(fresh, request))).to.equal(computeAddress(fresh));
  });

  it("with a high s have no signer, even if the curve accepts it", () => {
    useCurve({ ...ethersCurve, recover: () => getBytes(key.publicKey) });
    try {
      const signerWith = (s: bigint) =>
        signerOf(toBeHex(++digests, 32), concat([toBeHex(1, 32), toBeHex(s, 32), toBeHex(27)]));
      expect(signerWith(N / 2n)).to.equal(computeAddress(key));
      expect(signerWith(N / 2n + 1n)).to.equal(undefined);
    } finally {
      useCurve(ethersCurve);
    }
  });

  it("have no signer in another form: longer, with a high s, or with v 0 or 1", () => {
    for (let i = 0; i < 8; i++) {
      const signed = toBeHex(++digests, 32);
      const { r, s, v, yParity, serialized } = key.sign(signed);
      const high = toBeHex(N - BigInt(s), 32);
      const others = [
        `${serialized}00`,
        serialized.slice(0, -2),
        concat([r, high, toBeHex(55 - v)]),
        concat([r, s, toBeHex(yParity, 1)]),
      ];
      expect(others.map((other) => signerOf(signed, other))).to.deep.equal(others.map(() => undefined));
    }
  });
});
