import { expect } from "chai";
import { id } from "ethers";
import { duel, playSeries } from "../scripts/opponents.js";
import { Chance } from "../sdk/edges.js";
import { checkRanks, priceOf } from "../sdk/games/warmancer/army.js";
import { CLASSIC, decodeMode, QUICK, SKIRMISH, type Mode } from "../sdk/games/warmancer/mode.js";
import { readSetup } from "../sdk/games/warmancer/notation.js";
import type { Position } from "../sdk/games/warmancer/position.js";
import { isMobile, RANKS, SCOUT, THRONE } from "../sdk/games/warmancer/ranks.js";
import { tilesOf } from "../sdk/games/warmancer/tiles.js";
import { warmancer } from "../sdk/games/warmancer.js";
import { Seat } from "../sdk/status.js";
import type { Strategy } from "../sdk/strategy.js";
import { Belief, KINDS } from "../sdk/strategy/warmancer/belief.js";
import { greedyWarmancer } from "../sdk/strategy/warmancer/greedy.js";
import { PurposefulWarmancer } from "../sdk/strategy/warmancer/purposeful.js";
import { suggestSetup } from "../sdk/strategy/warmancer/setup.js";
import { randomWarmancer, type WarmancerStrategy, type WarmancerView } from "../sdk/strategy/warmancer/view.js";
import { warmancerWords } from "../sdk/strategy/warmancer/words.js";
import { Random } from "./laws/random.js";
import { anyBoard, SWITCHES } from "./warmancer/boards.js";
import { Table } from "./warmancer/table.js";

/** Thinks as the player that is shipped does, of less. */
const hasty = new PurposefulWarmancer(2);
const chance = (seed: string) => new Chance(id(seed));

/** A strategy that shows what it sees. */
function watched(strategy: WarmancerStrategy, see: (view: WarmancerView) => void): WarmancerStrategy {
  return {
    choose(view, source) {
      see(view);
      return strategy.choose(view, source);
    },
  };
}

describe("The computer player of Warmancer", function () {
  this.timeout(240_000);

  const shipped = new PurposefulWarmancer();

  for (const [name, rival, bar] of [
    ["random", randomWarmancer, 97],
    ["greedy", greedyWarmancer, 65],
  ] as const)
    it(`wins at least ${bar} of 100 games of Skirmish against a ${name} player`, () => {
      expect(playSeries(SKIRMISH, shipped, rival, 100, name).won).to.be.at.least(bar);
    });

  it("brings a Classic game to an end before the turns run out", () => {
    const { turns, winner } = duel(CLASSIC, [shipped, shipped], chance("Classic"));
    expect(turns).to.be.lessThan(CLASSIC.maxTurns);
    expect(winner).to.be.greaterThan(0);
  });

  it("finds the same move for the same view and the same chance, and leaves the view as it is", () => {
    const views: WarmancerView[] = [];
    const seen = watched(hasty, (view) => views.push(view));
    duel(SKIRMISH, [seen, seen], chance("views"));
    const moves = new Set<number>();
    for (const view of views) {
      const before = structuredClone(view);
      const [one, two, other] = ["a", "a", "b"].map((seed) => shipped.choose(view, chance(seed)));
      expect(one).to.equal(two);
      expect(view).to.deep.equal(before);
      if (one !== other) moves.add(one);
    }
    expect(moves.size).to.be.greaterThan(1);
  });
});

describe("The words of Warmancer's computer player", function () {
  this.timeout(240_000);

  const words = (seed: string) => warmancerWords(hasty, chance(seed));

  for (const [name, { content }] of Object.entries(warmancer.modes))
    it(`play a match to its end: ${name}`, async () => {
      const table = new Table(decodeMode(content));
      await table.play([words("one"), words("two")]);
      expect(await table.turn()).to.equal(Seat.None);
    });

  it("play matches to their ends with every mixture of switches, armies bought or not, on boards of any shape", async () => {
    const random = new Random("any board");
    const ends = new Set<bigint>();
    for (const switches of SWITCHES)
      for (const bought of [true, false]) {
        const small = anyBoard(random, { ...switches, maxTurns: 40 }, bought);
        for (const mode of [small, { ...SKIRMISH, ...switches, budget: bought ? priceOf(SKIRMISH.army) + 7 : 0 }])
          ends.add(await new Table(mode).play([words(random.word()), words(random.word())]));
      }
    expect([...ends].sort()).to.deep.equal([0n, 1n, 2n]);
  });
});
