import { deepStrictEqual } from "node:assert";
import { expect } from "chai";
import type { BaseContract } from "ethers";
import fc from "fast-check";
import { previewContract } from "../../../cli/shared/match/preview.js";
import { guardians } from "../../../sdk/games/guardians/index.js";
import { hexWord } from "../../../sdk/protocol/word.js";

const between = (min: number, max: number) => fc.integer({ min, max });
/** A stat of a card: usually a realistic value, sometimes any value within its bounds, or a bound. */
const stat = (min: number, usual: number, max: number) =>
  fc.oneof(
    { weight: 6, arbitrary: between(Math.min(usual, max) / 2, Math.min(usual, max)) },
    { weight: 1, arbitrary: between(min, max) },
    { weight: 1, arbitrary: fc.constantFrom(min, max) },
  );
const card = fc.record({
  power: stat(1, 600, 65_535),
  defense: stat(0, 400, 65_535),
  hp: stat(1, 1500, 65_535),
  speed: stat(1, 4, 65_535),
  critical: stat(0, 400, 1000),
  luck: stat(0, 400, 1000),
  type: between(0, 7),
});
const mode = fc.record(
  { teamSize: between(1, 5), maxTurns: fc.oneof(between(1, 80), between(1, 500)), dodgeCap: between(0, 1000) },
  { requiredKeys: [] },
);
const seed = fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }).map(hexWord);
const input = fc.option(mode, { nil: undefined }).chain((chosen) => {
  const size = chosen?.teamSize ?? 3;
  const team = fc.array(card, { minLength: size, maxLength: size });
  return fc.record({ seed, mode: fc.constant(chosen), teams: fc.tuple(team, team) });
});

const RUNS = process.env.THOROUGH ? 1000 : 200;

describe("Guardians: parity", () => {
  let contract: BaseContract;
  let close: () => Promise<void>;

  before(async () => ({ contract, close } = await previewContract(guardians)));
  after(() => close());

  it("fights random battles in random modes identically on both engines", async () => {
    const ends = new Set<string>();
    const property = fc.asyncProperty(input, async (each) => {
      const engine = await guardians.simulate(each);
      deepStrictEqual(await guardians.simulate(each, contract), engine);
      const eliminated = engine.hp.some((side) => side.every((hp) => hp === 0));
      ends.add(`${engine.winner}${eliminated ? " by elimination" : ""}`);
    });
    await fc.assert(property, { numRuns: RUNS, seed: 1 });
    expect(ends.size, "every end is among them but draws, perhaps").to.be.at.least(4);
  });
});
