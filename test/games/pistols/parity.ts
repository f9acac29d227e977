import { deepStrictEqual } from "node:assert";
import type { BaseContract } from "ethers";
import fc from "fast-check";
import { previewContract } from "../../../cli/shared/match/preview.js";
import { ALL_BLADES } from "../../../sdk/games/pistols/legal-moves.js";
import { pistolsGame } from "../../../sdk/games/pistols/index.js";
import { hexWord } from "../../../sdk/protocol/word.js";

const seed = fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }).map(hexWord);
const duelist = fc.record({ archetype: fc.integer({ min: 0, max: 3 }), m: fc.integer({ min: 0, max: 100 }) });
const paces = fc.integer({ min: 1, max: 10 });
const blades = fc.constantFrom(...ALL_BLADES);
const duel = fc.record({
  seeds: fc.tuple(seed, seed),
  paces: fc.tuple(paces, paces),
  blades: fc.tuple(blades, blades),
  duelists: fc.tuple(duelist, duelist),
});

const RUNS = process.env.THOROUGH ? 2000 : 400;

describe("Pistols: parity", () => {
  let contract: BaseContract;
  let close: () => Promise<void>;

  before(async () => ({ contract, close } = await previewContract(pistolsGame)));
  after(() => close());

  it("plays random duels identically on both engines", async () => {
    const property = fc.asyncProperty(duel, async (each) => {
      deepStrictEqual(await pistolsGame.simulate(each, contract), await pistolsGame.simulate(each));
    });
    await fc.assert(property, { numRuns: RUNS, seed: 1 });
  });
});
