import { deepStrictEqual } from "node:assert";
import type { BaseContract } from "ethers";
import fc from "fast-check";
import { previewContract } from "../../../cli/shared/match/preview.js";
import { autoBattler } from "../../../sdk/games/auto-battler/index.js";
import { hexWord } from "../../../sdk/protocol/word.js";

const between = (min: number, max: number) => fc.integer({ min, max });
/** Three increasing values of the tiers: usually realistic ones, sometimes up to the bounds. */
const values = (min: number) =>
  fc
    .oneof({ weight: 4, arbitrary: between(min, 20) }, { weight: 1, arbitrary: between(min, 65_535) })
    .chain((top) => fc.array(between(min, top), { minLength: 3, maxLength: 3 }))
    .map((three) => three.sort((a, b) => a - b));

const mode = fc.record(
  {
    dodgeMaxRandom: between(2, 1000),
    comboMaxRandom: between(1, 1000),
    rangeFactors: fc
      .tuple(between(0, 10_000), between(0, 10_000), between(0, 10_000))
      .map((f) => f.sort((a, b) => b - a)),
    comboFactor: between(10_000, 60_000),
    attackValues: values(1),
    defenseValues: values(1),
    healthValues: values(1),
    speedValues: values(1),
    rangeValues: values(0),
    comboValues: values(0),
    cooldownSecs: between(0, 2_592_000),
  },
  { requiredKeys: [] },
);
const exactly = <T>(item: fc.Arbitrary<T>, length: number) => fc.array(item, { minLength: length, maxLength: length });
const teams = exactly(exactly(exactly(between(1, 3), 6), 5), 2);
const seed = fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }).map(hexWord);
const input = fc.record({ seed, teams, mode }, { requiredKeys: ["seed", "teams"] });

const RUNS = process.env.THOROUGH ? 1000 : 200;

describe("Auto-battler: parity", () => {
  let contract: BaseContract;
  let close: () => Promise<void>;

  before(async () => ({ contract, close } = await previewContract(autoBattler)));
  after(() => close());

  it("fights random battles in random modes identically on both engines", async () => {
    const property = fc.asyncProperty(input, async (each) => {
      deepStrictEqual(await autoBattler.simulate(each, contract), await autoBattler.simulate(each));
    });
    await fc.assert(property, { numRuns: RUNS, seed: 1 });
  });
});
