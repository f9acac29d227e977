import { setImmediate } from "node:timers/promises";
import { expect } from "chai";
import { AbiCoder, getBytes, keccak256, TypedDataEncoder } from "ethers";
import { bytesOf, hexOf, numberAt, sized } from "../../../sdk/protocol/bytes.js";
import { InputError } from "../../../sdk/protocol/input.js";
import { seedOf } from "../../../sdk/protocol/dice.js";
import type * as Hash from "../../../sdk/protocol/hash.js";
import { hashWords } from "../../../sdk/protocol/hash.js";
import { NO_STATE, commitmentOf, stateHashOf } from "../../../sdk/protocol/commit-reveal.js";
import { Random } from "../../../sdk/laws/random.js";

describe("Bytes", () => {
  it("converts hex to bytes and back as ethers does", () => {
    const random = new Random("bytes");
    for (let length = 0; length < 200; length++) {
      const hex = random.note(length);
      expect(bytesOf(hex)).to.deep.equal(getBytes(hex));
      expect(bytesOf(`0x${hex.slice(2).toUpperCase()}`)).to.deep.equal(getBytes(hex));
      expect(hexOf(bytesOf(hex))).to.equal(hex);
    }
    const own = new Uint8Array([1, 2]);
    expect(bytesOf(own)).to.equal(own);
  });

  it("rejects the same invalid hex as ethers", () => {
    for (const wrong of ["", "0", "00", "0x0", "0x0g", "0xg0", "0x000", "0x0é", "0x é", "1x00"]) {
      expect(() => bytesOf(wrong), wrong).to.throw("invalid BytesLike value");
    }
  });

  it("of the wrong length are rejected with the expected length", () => {
    expect(sized("0x0102", "salt", 2)).to.deep.equal(new Uint8Array([1, 2]));
    for (const [data, min, max, error] of [
      ["0x01", 2, undefined, "salt: 1 bytes instead of 2"],
      ["0x01", 2, 3, "salt: 1 bytes instead of 2 to 3"],
      ["0x01020304", 2, 3, "salt: 4 bytes instead of 2 to 3"],
      ["0x01", 2, Infinity, "salt: 1 bytes instead of at least 2"],
      ["0x0", 0, 1, "salt: not 0x and hex bytes"],
    ] as const) {
      expect(() => sized(data, "salt", min, max), error).to.throw(InputError, new RegExp(`^${error}$`));
    }
  });

  it("reads numbers that take up to six bytes", () => {
    const bytes = new Uint8Array([1, 2, 3, 4, 5, 6, 7]);
    expect([1, 2, 6].map((width) => numberAt(bytes, 1, width))).to.deep.equal([2, 0x0203, 0x020304050607]);
  });
});

describe("Hashes", () => {
  const random = new Random("hashes");
  const coder = AbiCoder.defaultAbiCoder();

  it("computes the same hashes as ethers from the start, and after WebAssembly takes over", async () => {
    const { keccak } = (await import(`../../../sdk/protocol/hash.js?${random.word()}`)) as typeof Hash;
    const expectEqual = (bytes: Uint8Array) => expect(hexOf(keccak(bytes))).to.equal(keccak256(bytes));
    expectEqual(new Uint8Array());
    // WebAssembly is compiled in another thread: the loop continues for some time after that.
    for (let length = 1; length < 300; length++) {
      expectEqual(bytesOf(random.note(length)));
      await setImmediate();
    }
  });

  it("computes the same hashes as ethers if WebAssembly is forbidden", async () => {
    const { instantiate } = WebAssembly;
    WebAssembly.instantiate = (): Promise<never> => Promise.reject(new Error("forbidden"));
    try {
      const { keccak } = (await import(`../../../sdk/protocol/hash.js?${random.word()}`)) as typeof Hash;
      await setImmediate();
      expect(hexOf(keccak(new Uint8Array([1])))).to.equal(keccak256("0x01"));
    } finally {
      WebAssembly.instantiate = instantiate;
    }
  });

  it("refuse numbers that are negative, or more than a word", () => {
    expect(hashWords(2n ** 256n - 1n)).to.have.lengthOf(32);
    expect(() => hashWords(2n ** 256n)).to.throw(RangeError, `${2n ** 256n} is more than a word`);
    expect(() => hashWords(-1n)).to.throw(RangeError, "-1 is negative");
  });

  it("hashes words as the hash of their ABI encoding", () => {
    for (const number of [0n, 1n, 2n ** 64n - 1n, 2n ** 64n, 2n ** 160n + 5n, 2n ** 256n - 1n]) {
      const word = random.word();
      const expected = keccak256(coder.encode(["uint256", "bytes32", "uint256"], [number, word, 7]));
      expect(hexOf(hashWords(number, word, 7))).to.equal(expected);
      expect(hexOf(hashWords(number, bytesOf(word), 7))).to.equal(expected);
    }
    for (const wrong of [-1n, -1, 2n ** 256n, "0x01", `${NO_STATE}00`]) {
      expect(() => hashWords(wrong)).to.throw(RangeError);
    }
  });

  it("hashes commitments, states and seeds as the protocol specifies", () => {
    const types = {
      Commitment: [
        { name: "player", type: "address" },
        { name: "move", type: "bytes" },
        { name: "salt", type: "bytes32" },
      ],
    };
    for (let n = 0; n < 40; n++) {
      const [game, player] = [random.note(20), random.note(20)];
      const [move, salt, other] = [random.note(n), random.word(), random.word()];
      const chainId = 1 + (n % 3);
      const domain = { name: "Duello", version: "1", chainId, verifyingContract: game };
      const commitment = TypedDataEncoder.hash(domain, types, { player, move, salt });
      expect(commitmentOf(chainId, game, player, move, salt)).to.equal(commitment);

      const stateHash = (answer: string) =>
        keccak256(coder.encode(["uint256", "bytes32", "bytes32", "bytes32"], [n, other, commitment, answer]));
      expect(stateHashOf({ round: n, state: other }, commitment)).to.equal(stateHash(NO_STATE));
      const answer = keccak256(`${move}${salt.slice(2)}`);
      expect(stateHashOf({ round: n, state: other }, commitment, { move, salt })).to.equal(stateHash(answer));

      const seed = keccak256(coder.encode(["uint256", "uint256", "bytes32", "bytes32"], [n, 2, salt, other]));
      expect(seedOf(n, 2, salt, other)).to.equal(seed);
    }
  });
});
