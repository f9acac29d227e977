import { readdirSync, readFileSync } from "node:fs";
import { expect } from "chai";
import { simulateWarmancer, type WarmancerSimulation } from "../../../sdk/games/warmancer/simulate.js";
import { loadFixture } from "../../support/index.js";
import { readScenario, tell, type Scenario } from "../../support/warmancer/scenario.js";
import { Walkthrough } from "../../support/warmancer/walkthrough.js";

/** Simulates the input of a scenario. */
type Engine = (input: unknown) => Promise<WarmancerSimulation>;

const FOLDER = new URL("../../support/warmancer/scenarios/", import.meta.url);
const ENGINES: Record<string, Engine> = {
  "the engine": (input) => simulateWarmancer(input),
  "the contract": async (input) => simulateWarmancer(input, (await loadFixture(Walkthrough.open)).preview),
};

async function expectAsTold(scenario: Scenario, engine: Engine): Promise<void> {
  expect(tell(scenario, await engine(scenario.input))).to.deep.equal(scenario.told);
}

describe("Warmancer: scenarios", () => {
  for (const file of readdirSync(FOLDER)) {
    const scenario = readScenario(readFileSync(new URL(file, FOLDER), "utf8"));
    for (const [name, engine] of Object.entries(ENGINES)) {
      it(`${scenario.title} (${file}, by ${name})`, () => expectAsTold(scenario, engine));
    }
  }
});
