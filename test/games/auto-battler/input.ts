import { expect } from "chai";
import { autoBattler } from "../../../sdk/games/auto-battler/index.js";
import { defaultMode } from "../../../sdk/games/auto-battler/mode.js";
import { refusalsBy } from "../../support/input.js";

const SEED = `0x${"1a".repeat(32)}`;
const FIGHTER = [1, 2, 3, 1, 2, 3];
const TEAM = [FIGHTER, FIGHTER, FIGHTER, FIGHTER, FIGHTER];
const good = { seed: SEED, teams: [TEAM, TEAM] };
const { refuses } = refusalsBy(autoBattler.simulate);

const withMode = (mode: unknown) => ({ ...good, mode });
const withTeam = (team: unknown) => ({ ...good, teams: [TEAM, team] });
const withTier = (tier: unknown) => withTeam([FIGHTER, FIGHTER, FIGHTER, FIGHTER, [1, 2, 3, tier, 2, 3]]);
const without = (key: keyof typeof good) => Object.fromEntries(Object.entries(good).filter(([name]) => name !== key));

const itself = (value: unknown) => value;
const BOUNDS = {
  dodgeMaxRandom: [2, 1000],
  comboMaxRandom: [1, 1000],
  comboFactor: [10_000, 60_000],
  cooldownSecs: [0, 2_592_000],
};
/** Lists whose values must not decrease. */
const RISING = {
  attackValues: [1, 65_535],
  defenseValues: [1, 65_535],
  healthValues: [1, 65_535],
  speedValues: [1, 65_535],
  rangeValues: [0, 65_535],
  comboValues: [0, 65_535],
};

describe("Auto-battler: input", () => {
  refuses("input that is not an object", itself, [
    [null, "input: null is not an object"],
    [[], "input: a list is not an object"],
    [7, "input: 7 is not an object"],
    [undefined, "input: left out"],
    [without("seed"), "seed: left out"],
    [without("teams"), "teams: left out"],
  ]);

  refuses("unknown fields on every level", itself, [
    [{ ...good, sed: 1 }, "sed: unknown field"],
    [JSON.parse(`{"__proto__":{},"seed":"${SEED}","teams":${JSON.stringify(good.teams)}}`), "__proto__: unknown field"],
    [{ ...good, constructor: 1 }, "constructor: unknown field"],
    [{ ...good, "a\nb c": 1 }, '["a\\nb c"]: unknown field'],
    [withMode({ attackvalues: [1, 2, 4] }), "mode.attackvalues: unknown field"],
    [withMode(JSON.parse('{"__proto__":{"comboFactor":1}}')), "mode.__proto__: unknown field"],
  ]);

  refuses("seeds that are not 32 bytes in hex", (seed) => ({ ...good, seed }), [
    [1, "seed: 1 is not 0x and 64 hex digits"],
    [SEED.slice(2), `seed: "${SEED.slice(2)}" is not 0x and 64 hex digits`],
  ]);

  refuses("teams of another shape", (teams) => ({ ...good, teams }), [
    [null, "teams: null is not a list"],
    [[TEAM], "teams: 1 items instead of 2"],
    [[TEAM, TEAM, TEAM], "teams: 3 items instead of 2"],
    [[TEAM, "team"], 'teams[1]: "team" is not a list'],
    [[TEAM.slice(1), TEAM], "teams[0]: 4 items instead of 5"],
    [[TEAM, [...TEAM, FIGHTER]], "teams[1]: 6 items instead of 5"],
    [[[[...FIGHTER, 1], ...TEAM.slice(1)], TEAM], "teams[0][0]: 7 items instead of 6"],
    [[[...TEAM.slice(1), []], TEAM], "teams[0][4]: 0 items instead of 6"],
  ]);

  refuses("tiers other than 1, 2, 3", withTier, [
    [0, "teams[1][4][3]: 0 is below 1"],
    [4, "teams[1][4][3]: 4 is above 3"],
    [-1, "teams[1][4][3]: -1 is below 1"],
    [1e300, "teams[1][4][3]: 1e+300 is above 3"],
    [JSON.parse("1e400"), "teams[1][4][3]: Infinity is not an integer"],
    [NaN, "teams[1][4][3]: NaN is not an integer"],
    [1.5, "teams[1][4][3]: 1.5 is not an integer"],
    ["2", 'teams[1][4][3]: "2" is not an integer'],
    [null, "teams[1][4][3]: null is not an integer"],
    [true, "teams[1][4][3]: true is not an integer"],
    [[2], "teams[1][4][3]: a list is not an integer"],
    [undefined, "teams[1][4][3]: left out"],
  ]);

  refuses("modes that are not objects of the right types", withMode, [
    [null, "mode: null is not an object"],
    ["default", 'mode: "default" is not an object'],
    [{ cooldownSecs: "1" }, 'mode.cooldownSecs: "1" is not an integer'],
    [{ comboFactor: [17_500] }, "mode.comboFactor: a list is not an integer"],
    [{ dodgeMaxRandom: null }, "mode.dodgeMaxRandom: null is not an integer"],
  ]);

  for (const [field, [min, max]] of Object.entries(BOUNDS)) {
    refuses(`${field} out of bounds`, (value) => withMode({ [field]: value }), [
      [min - 1, `mode.${field}: ${min - 1} is below ${min}`],
      [max + 1, `mode.${field}: ${max + 1} is above ${max}`],
      [max - 0.5, `mode.${field}: ${max - 0.5} is not an integer`],
    ]);
  }

  for (const [field, [min, max]] of Object.entries(RISING)) {
    refuses(`${field} out of bounds or order`, (values) => withMode({ [field]: values }), [
      [5, `mode.${field}: 5 is not a list`],
      [[1, 2], `mode.${field}: 2 items instead of 3`],
      [[1, 2, 3, 4], `mode.${field}: 4 items instead of 3`],
      [[min - 1, 5, 5], `mode.${field}[0]: ${min - 1} is below ${min}`],
      [[5, 5, max + 1], `mode.${field}[2]: ${max + 1} is above ${max}`],
      [[2, "4", 8], `mode.${field}[1]: "4" is not an integer`],
      [[5, 6, 5], `mode.${field}[2]: 5 is below the 6 before it`],
      [[5, 4, 5], `mode.${field}[1]: 4 is below the 5 before it`],
    ]);
  }

  refuses("rangeFactors out of bounds or order", (rangeFactors) => withMode({ rangeFactors }), [
    [{ 0: 1 }, "mode.rangeFactors: an object is not a list"],
    [[3, 2], "mode.rangeFactors: 2 items instead of 3"],
    [[10_001, 2, 1], "mode.rangeFactors[0]: 10001 is above 10000"],
    [[3, 2, -1], "mode.rangeFactors[2]: -1 is below 0"],
    [[3, 4, 1], "mode.rangeFactors[1]: 4 is above the 3 before it"],
    [[3, 1, 2], "mode.rangeFactors[2]: 2 is above the 1 before it"],
  ]);

  it("accepts every bound, equal values and uppercase seeds, and fills in defaults", async () => {
    const plain = await autoBattler.simulate(good);
    const same = [{}, { comboFactor: 17_500 }, defaultMode].map(withMode);
    const loud = { ...good, seed: `0x${SEED.slice(2).toUpperCase()}` };
    for (const input of [...same, loud]) expect(await autoBattler.simulate(input)).to.deep.equal(plain);
    for (const end of [0, 1]) {
      const single = Object.entries(BOUNDS).map(([field, bounds]) => [field, bounds[end]]);
      const lists = Object.entries({ rangeFactors: [0, 10_000], ...RISING }).map(([field, bounds]) => [
        field,
        new Array(3).fill(bounds[end]),
      ]);
      const { rounds } = await autoBattler.simulate(withMode(Object.fromEntries([...single, ...lists])));
      expect(rounds).to.be.within(1, 100);
    }
  });
});
