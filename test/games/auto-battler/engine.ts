import { expect } from "chai";
import fc from "fast-check";
import { battle, dodges, rangeFactor, rangePenalty, strikeDamage } from "../../../sdk/games/auto-battler/engine.js";
import { decodeTurn, encodeTurn, idsOfTurn } from "../../../sdk/games/auto-battler/log.js";
import { checkMode, decodeMode, defaultMode, encodeMode } from "../../../sdk/games/auto-battler/mode.js";
import { InputError } from "../../../sdk/protocol/input.js";
import { hexWord } from "../../../sdk/protocol/word.js";

const WEAK = [1, 1, 1, 1, 1, 1];
const STURDY = [1, 1, 3, 1, 1, 1];
const teamOf = (...odd: number[][]) => [...odd, ...new Array<number[]>(5 - odd.length).fill(STURDY)];
const seeds = [1n, 2n, 3n, 4n, 5n, 6n].map(hexWord);
const uint = (max: number) => fc.integer({ min: 0, max });

/** A mode in which every hit deals 1 damage, and only fighters of health tiers 1 and 2 can die within 100 rounds. */
const feather = checkMode({ attackValues: [1, 1, 1], healthValues: [1, 2, 65_535] });

describe("Auto-battler: engine", () => {
  it("lets a fighter dodge if its speed is at least the roll times the attacker's speed", () => {
    expect(dodges(3, 2, 1)).to.equal(true);
    expect(dodges(3, 2, 5)).to.equal(false);
    expect(dodges(4, 2, 2)).to.equal(true);
    expect(dodges(1, 65_535, 0)).to.equal(true);
  });

  it("deals 8 damage with attack 4 against defense 2, and 14 with a combo", () => {
    expect(strikeDamage(4, 2, 10_000, 10_000)).to.equal(8);
    expect(strikeDamage(4, 2, 10_000, 17_500)).to.equal(14);
  });

  it("ignores defense when the attack is not above it, and deals at least 1 damage", () => {
    expect(strikeDamage(4, 4, 10_000, 10_000)).to.equal(4);
    expect(strikeDamage(2, 4, 10_000, 10_000)).to.equal(2);
    expect(strikeDamage(1, 4, 2500, 10_000)).to.equal(1);
    expect(strikeDamage(4, 1, 0, 10_000)).to.equal(1);
  });

  it("rounds down only at the end: base 2, one slot out of range, with a combo, gives 2", () => {
    expect(strikeDamage(2, 2, rangeFactor(defaultMode, 1), defaultMode.comboFactor)).to.equal(2);
  });

  it("weakens an attack from slot 0 at slot 4 with range 1 to ×0.25, and does not weaken an attack within range", () => {
    expect(rangeFactor(defaultMode, rangePenalty(0, 4, 1))).to.equal(2500);
    expect([0, 1, 2, 3, 4].map((slot) => rangePenalty(4, slot, 0))).to.deep.equal([3, 3, 2, 1, 0]);
    expect([0, 1, 2, 3].map((penalty) => rangeFactor(defaultMode, penalty))).to.deep.equal([10_000, 7500, 5000, 2500]);
    expect(rangePenalty(0, 4, 65_535)).to.equal(0);
  });

  it("computes damage exactly, even beyond 2^53", () => {
    const value = fc.integer({ min: 1, max: 65_535 });
    const property = fc.property(value, value, uint(10_000), fc.integer({ min: 10_000, max: 60_000 }), (a, d, f, c) => {
      const base = a > d ? BigInt(a) * BigInt(a) * BigInt(f) * BigInt(c) : BigInt(a) * BigInt(f) * BigInt(c);
      const damage = base / (a > d ? BigInt(d) * 100_000_000n : 100_000_000n);
      expect(strikeDamage(a, d, f, c)).to.equal(damage === 0n ? 1 : Number(damage));
    });
    // With 65519^2 × 10000 × 59999, rounded products would give another result.
    fc.assert(property, {
      numRuns: 20_000,
      seed: 1,
      examples: [
        [65_535, 1, 10_000, 60_000],
        [65_519, 3, 9999, 59_999],
      ],
    });
  });

  it("lets player 1 win after round 100 if both sides have the same number of living fighters, whoever attacked first", () => {
    const firsts = seeds.map((seed) => {
      const { winner, hp, entries } = battle(seed, feather, [teamOf(), teamOf()]);
      expect([winner, entries.length, decodeTurn(entries[999]).round, hp.flat().includes(0)]).to.deep.equal([
        1,
        1000,
        100,
        false,
      ]);
      return decodeTurn(entries[0]).attacker;
    });
    expect(new Set(firsts)).to.deep.equal(new Set([1, 2]));
  });

  it("lets the side with more living fighters win after round 100", () => {
    for (const seed of seeds) {
      expect(battle(seed, feather, [teamOf(WEAK), teamOf()]).winner).to.equal(2);
      expect(battle(seed, feather, [teamOf(), teamOf(WEAK)]).winner).to.equal(1);
      expect(battle(seed, feather, [teamOf(WEAK, WEAK), teamOf(WEAK)]).winner).to.equal(2);
    }
  });

  it("ends with the last fighter's death, even in the middle of a round", () => {
    const { winner, hp, entries } = battle(seeds[0], feather, [[WEAK, WEAK, WEAK, WEAK, WEAK], teamOf()]);
    const last = decodeTurn(entries[entries.length - 1]);
    expect([winner, hp[0], last.wasKill, last.defenderHpEnd]).to.deep.equal([2, [0, 0, 0, 0, 0], true, 0]);
  });

  it("packs turns and modes and reads them back", () => {
    const turn = fc.record({
      round: uint(127),
      attacker: fc.constantFrom(1, 2),
      attackerSlot: uint(4),
      defenderSlot: uint(4),
      wasDodge: fc.boolean(),
      wasCombo: fc.boolean(),
      wasKill: fc.boolean(),
      rangePenalty: uint(3),
      randomDodge: uint(65_535),
      randomCombo: uint(65_535),
      defenderHpStart: uint(65_535),
      defenderHpEnd: uint(65_535),
      damageDealt: uint(2 ** 40),
    });
    const property = fc.property(turn, (each) => {
      expect(decodeTurn(encodeTurn(each))).to.deep.equal(each);
    });
    fc.assert(property, { seed: 1 });
    expect(decodeMode(encodeMode(defaultMode))).to.deep.equal(defaultMode);
    const other = checkMode({ rangeFactors: [3, 2, 1], comboValues: [0, 256, 65_535], cooldownSecs: 2_592_000 });
    expect(decodeMode(encodeMode(other))).to.deep.equal(other);
  });

  it("packs the default mode into 52 bytes in the order of the documentation page", () => {
    const tiers = "000100020004";
    const head = "000a000a" + "1d4c138809c4" + "445c";
    const values = tiers + tiers + "000400080010" + tiers + tiers + tiers;
    expect(encodeMode(defaultMode)).to.equal(`0x${head}${values}00015180`);
  });

  it("refuses packed modes that have another length or values out of bounds", () => {
    const content = encodeMode(defaultMode);
    expect(() => decodeMode(`${content}00`)).to.throw(InputError, "mode: 53 bytes instead of 52");
    expect(() => decodeMode(content.replace("0x000a", "0x0001"))).to.throw(
      InputError,
      "mode.dodgeMaxRandom: 1 is below 2",
    );
  });

  it("names the tokens behind a turn", () => {
    const ids = [0n, 10n].map((side) =>
      [0n, 1n, 2n, 3n, 4n].map((slot) => ({ assetId: side + slot, charId: 100n + side + slot })),
    );
    const turn = decodeTurn(battle(seeds[0], defaultMode, [teamOf(), teamOf()]).entries[0]);
    const swapped = { ...turn, attacker: 2, attackerSlot: 3, defenderSlot: 1 };
    const expected = { attackerAssetId: 13n, attackerCharId: 113n, defenderAssetId: 1n, defenderCharId: 101n };
    expect(idsOfTurn(swapped, ids)).to.deep.equal(expected);
  });
});
