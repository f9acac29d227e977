import { expect } from "chai";
import { AbiCoder, keccak256, toBeHex, ZeroHash } from "ethers";
import { Dice, seedOf } from "../../../sdk/protocol/dice.js";
import { keccak } from "../../../sdk/protocol/hash.js";
import { hexWord } from "../../../sdk/protocol/word.js";

const SEED = keccak256("0xd1ce");
const ROLLS = 250_000;

/** Returns the documented word(seed, n), computed with ethers. */
function plainWord(seed: string, n: number): bigint {
  return BigInt(keccak256(AbiCoder.defaultAbiCoder().encode(["bytes32", "uint256"], [seed, n])));
}

/** Returns by how many standard deviations a chi-square value is off its mean (Wilson and Hilferty). */
function deviations(counts: Iterable<number>, expected: number, freedom: number): number {
  let sum = 0;
  for (const count of counts) sum += (count - expected) ** 2 / expected;
  const spread = 2 / (9 * freedom);
  return (Math.cbrt(sum / freedom) - (1 - spread)) / Math.sqrt(spread);
}

describe("Dice", () => {
  it("compute the same hash as the chain, whatever was hashed before", () => {
    for (const length of [0, 1, 64, 135, 136, 137, 500]) {
      const bytes = new Uint8Array(length).fill(length);
      expect(hexWord(BigInt(`0x${Buffer.from(keccak(bytes)).toString("hex")}`))).to.equal(keccak256(bytes));
    }
  });

  it("derive the seed from the match, the round and both salts, in this order", () => {
    const [salt1, salt2] = [keccak256("0x01"), keccak256("0x02")];
    const bytes = `${toBeHex(7, 32)}${toBeHex(1, 32).slice(2)}${salt1.slice(2)}${salt2.slice(2)}`;
    expect(seedOf(7n, 1, salt1, salt2)).to.equal(keccak256(bytes));
    expect(seedOf(7n, 1, salt2, salt1)).not.to.equal(keccak256(bytes));
  });

  it("return the documented words and lanes, even for roll 2^32 - 1 and for 2^21 sides", () => {
    for (const seed of [SEED, ZeroHash]) {
      for (const n of [0, 1, 255, 256, 65_536, 2 ** 32 - 1]) {
        const word = plainWord(seed, n);
        expect(new Dice(seed).roll(n).word).to.equal(word);
        for (const k of [0, 1, 2, 3]) {
          for (const m of [1, 2, 3, 11, 1000, 1001, 2 ** 21 - 1, 2 ** 21]) {
            const lane = Number(BigInt.asUintN(64, word >> BigInt(64 * k)) % BigInt(m));
            expect(new Dice(seed).roll(n).lane(k, m), `${n} ${k} ${m}`).to.equal(lane);
          }
        }
      }
    }
  });

  it("return the same rolls in any order", () => {
    const [dice, other] = [new Dice(SEED), new Dice(ZeroHash)];
    const [ninth, strange, first] = [dice.roll(9), other.roll(9), dice.roll(1)];
    expect([ninth.word, strange.word, first.word]).to.deep.equal([
      plainWord(SEED, 9),
      plainWord(ZeroHash, 9),
      plainWord(SEED, 1),
    ]);
  });

  it("reject more sides than JavaScript numbers can divide exactly, and seeds of the wrong length", () => {
    expect(() => new Dice(SEED).roll(0).lane(0, 2 ** 21 + 1)).to.throw(RangeError, "2097153 sides are above 2097152");
    expect(() => new Dice("0x00")).to.throw(RangeError, "a seed has 32 bytes, not 1");
  });

  it("have uniform and independent lanes over a million rolls", () => {
    const dice = new Dice(SEED);
    const sides = 10;
    const single = Array.from({ length: 4 }, () => new Array<number>(sides).fill(0));
    const pairs = Array.from({ length: 16 }, () => new Array<number>(sides * sides).fill(0));
    for (let n = 0; n < ROLLS; n++) {
      const roll = dice.roll(n);
      const lanes = [0, 1, 2, 3].map((k) => roll.lane(k, sides));
      lanes.forEach((a, i) => single[i][a]++);
      lanes.forEach((a, i) => lanes.forEach((b, j) => pairs[4 * i + j][sides * a + b]++));
    }
    for (const counts of single) expect(Math.abs(deviations(counts, ROLLS / sides, sides - 1))).to.be.below(3);
    for (let i = 0; i < 4; i++) {
      for (let j = 0; j < i; j++) {
        const off = deviations(pairs[4 * i + j], ROLLS / sides ** 2, sides ** 2 - 1);
        expect(Math.abs(off), `lanes ${i} and ${j}`).to.be.below(3);
      }
    }
  });
});
