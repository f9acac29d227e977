import { expect } from "chai";
import { cryptoSource, pick, pickWeighted, QuickSource, shuffle, sourceFrom } from "../../../sdk/bots/source.js";
import { chanceOf, everyWay, parts, scripted } from "../../support/bots.js";

const count = (of: Iterable<unknown>) => {
  const counts: Record<string, number> = {};
  for (const each of of) counts[String(each)] = (counts[String(each)] ?? 0) + 1;
  return counts;
};

describe("The random source of a strategy", () => {
  it("makes all numbers equally likely in any range", () => {
    for (const range of [10, 256, 1000]) {
      for (let n = 1; n <= 10; n++) {
        const numbers = Array.from({ length: range }, (_, i) => i);
        const source = sourceFrom(() => numbers.shift()!, range);
        const drawn: number[] = [];
        while (numbers.length > range % n) drawn.push(source.below(n));
        const each = Array.from({ length: n }, (_, i) => [String(i), Math.floor(range / n)]);
        expect(count(drawn), `${range} ${n}`).to.deep.equal(Object.fromEntries(each));
      }
    }
  });

  it("redraws a number above the last multiple of the range", () => {
    const numbers = [9, 9, 7];
    expect(sourceFrom(() => numbers.shift()!, 10).below(3)).to.equal(1);
    expect(numbers).to.deep.equal([]);
  });

  it("returns unpredictable numbers within the range, up to 2^21", () => {
    for (const n of [1, 2, 3, 100, 2 ** 21]) {
      for (let i = 0; i < 200; i++)
        expect(cryptoSource.below(n)).to.satisfy((x: number) => x >= 0 && x < n && x % 1 === 0);
    }
    expect(new Set(Array.from({ length: 20 }, () => cryptoSource.below(2 ** 21))))
      .to.have.property("size")
      .above(15);
  });

  it("picks items by weight, and never picks an item of weight zero", () => {
    const picked = parts(1000, (source) => pickWeighted([0, 3, 0, 1, 0], source));
    expect(count(picked)).to.deep.equal({ 1: 750, 3: 250 });
    const last = scripted(2 ** 21 - 1, 2 ** 21 - 1);
    expect(pickWeighted([1, 1e-9, 0], last)).to.equal(1);
    expect(pickWeighted([0.1, 0.2, 0.7], scripted(2 ** 20))).to.equal(2);
  });

  it("picks every item, and refuses to pick from an empty list", () => {
    expect([0, 1, 2].map((i) => pick("abc", scripted(i)))).to.deep.equal(["a", "b", "c"]);
    expect(() => pick([], cryptoSource)).to.throw(RangeError, "there is nothing to pick from");
    expect(() => pickWeighted([0, 0], cryptoSource)).to.throw(RangeError, "there is nothing to pick from");
  });

  it("shuffles into all orders equally often", () => {
    const orders = everyWay((source) => shuffle(["a", "b", "c", "d"], source).join(""));
    expect(orders).to.have.length(24);
    expect(new Set(orders).size).to.equal(24);
  });

  it("is uniform in simulations, and repeats its numbers for the same seed", () => {
    const quick = new QuickSource(chanceOf("quick"));
    const counts = count(Array.from({ length: 60_000 }, () => quick.below(6)));
    expect(Object.keys(counts)).to.have.length(6);
    // 10,000 are expected; the bounds are four standard deviations away.
    for (const times of Object.values(counts)) expect(times).to.be.within(9_630, 10_370);
    const [one, other] = [chanceOf("same"), chanceOf("same")].map((random) => new QuickSource(random));
    expect(one.bytes(64)).to.deep.equal(other.bytes(64));
  });
});
