import { readFile, writeFile } from "node:fs/promises";
import { expect } from "chai";
import hre from "hardhat";
import { games } from "../sdk/games/index.js";
import { offers, settings } from "./gas/arena.js";
import { randomBattles, wholeMatches, worstBattle } from "./gas/battles.js";
import { ends } from "./gas/ends.js";
import { guardians } from "./gas/guardians.js";
import { wholeDuels } from "./gas/pistols.js";
import { miniGames } from "./gas/mini-games.js";
import { purse, tokens } from "./gas/purse.js";
import { ticTacToe } from "./gas/tic-tac-toe.js";
import { warmancer } from "./gas/warmancer.js";
import { startWorld, type Costs, type Entries, type World } from "./gas/world.js";

const FILE = new URL("gas.json", import.meta.url);
const UPDATE = process.env.UPDATE_GAS === "1";

/** What a match of Warmancer may cost at most. */
const WARMANCER_LIMITS = {
  "create with a sealed Classic army": 150_000,
  "join with a sealed Classic army": 150_000,
  "a quiet turn, both actions": 150_000,
  "a turn with a battle, all actions": 250_000,
  "a turn with two battles, all actions": 250_000,
  "the end check of a Classic army": 200_000,
  "the end check of 64 pawns": 300_000,
  "the worst legal action": 4_000_000,
};

/** What is measured, in the order of the file. */
const sections: Record<string, (world: World) => Promise<Costs>> = {
  "the sizes of contracts": sizes,
  tokens: each(tokens),
  purses: each(purse),
  "offers and seats": each(offers),
  "openings and other ends": each(ends),
  settings: each(settings),
  "whole matches": wholeMatches,
  "whole duels with pistols": wholeDuels,
  "random default battles": randomBattles,
  "the worst legal battle": worstBattle,
  guardians,
  "tic-tac-toe": ticTacToe,
  "mini-games": miniGames,
  warmancer,
};

async function sizes({ ethers }: World): Promise<Costs> {
  const names = ["Arena", "FightToken", "Fighters", "GuardianCards", ...games.map(({ contract }) => contract)];
  const bytes = async (name: string) => ethers.dataLength((await hre.artifacts.readArtifact(name)).deployedBytecode);
  return Object.fromEntries(
    await Promise.all(names.map(async (name) => [`size of ${name} in bytes`, await bytes(name)])),
  );
}

function each(entries: Entries): (world: World) => Promise<Costs> {
  return async (world) => {
    const costs: Costs = {};
    for (const [name, entry] of Object.entries(entries)) {
      await world.snapshot.restore();
      costs[name] = await world.gasOf(entry(world));
    }
    return costs;
  };
}

describe("Gas", () => {
  const measured: Costs = {};
  let committed: Costs;
  let world: World;

  before(async function () {
    if (hre.globalOptions.coverage) this.skip(); // instrumented code costs more
    committed = UPDATE ? {} : (JSON.parse(await readFile(FILE, "utf8")) as Costs);
    world = await startWorld();
  });
  after(() => world?.close());
  beforeEach(() => world.snapshot.restore());

  for (const [name, measure] of Object.entries(sections)) {
    it(`is what test/gas.json says: ${name}`, async () => {
      const costs = await measure(world);
      Object.assign(measured, costs);
      if (UPDATE) return;
      const expected = Object.fromEntries(Object.keys(costs).map((key) => [key, committed[key]]));
      expect(costs, "gas has changed: `npm run gas` rewrites test/gas.json, review its diff").to.deep.equal(expected);
    });
  }

  it("is measured for all that test/gas.json lists", async () => {
    if (UPDATE) await writeFile(FILE, `${JSON.stringify(measured, null, 2)}\n`);
    else expect(Object.keys(measured), "`npm run gas` rewrites test/gas.json").to.deep.equal(Object.keys(committed));
  });

  it("is at most 2,200 per attack, log and statistics included", () => {
    expect(measured["300 random default battles: an attack, with log and statistics (slope)"]).to.be.at.most(2200);
  });

  it("is at most 650,000 for a whole match of returning players", () => {
    const whole = Object.keys(measured).filter((key) => /whole match.*(returning|average)/.test(key));
    expect(whole).to.have.length(3);
    for (const key of whole) expect(measured[key], key).to.be.at.most(650_000);
  });

  it("is at most 290,000 for a whole mini-game of returning players, rated and staked", () => {
    expect(measured["mini-games, all three transactions: returning players, rated, with stakes"]).to.be.at.most(
      290_000,
    );
  });

  it("is under 4,000,000 for the worst legal battle", () => {
    expect(measured["worst legal battle, its opening"]).to.be.below(4_000_000);
    expect(measured["guardians, the worst legal battle, its opening"]).to.be.below(4_000_000);
  });

  it("is within its limits for a match of Warmancer", () => {
    for (const [what, most] of Object.entries(WARMANCER_LIMITS)) {
      expect(measured[`warmancer, ${what}`], what).to.be.at.most(most);
    }
  });
});
