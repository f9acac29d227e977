import { expect } from "chai";
import { id } from "ethers";
import { duel } from "../../../scripts/bench-opponents.js";
import { SeededRandom } from "../../../sdk/bots/seeded-random.js";
import { checkRanks, priceOf } from "../../../sdk/games/warmancer/army.js";
import { CLASSIC, decodeMode, QUICK, SKIRMISH, type Mode } from "../../../sdk/games/warmancer/mode.js";
import { startPosition, type Position } from "../../../sdk/games/warmancer/position.js";
import { ASSASSIN, isMobile, RANKS, SCOUT, THRONE, TRAP } from "../../../sdk/games/warmancer/ranks.js";
import { NEIGHBOURS, tilesOf } from "../../../sdk/games/warmancer/tiles.js";
import { warmancer } from "../../../sdk/games/warmancer/index.js";
import { NO_STATE } from "../../../sdk/protocol/commit-reveal.js";
import { battleOdds } from "../../../sdk/games/warmancer/bot/battle-odds.js";
import { Belief, KINDS } from "../../../sdk/games/warmancer/bot/belief.js";
import { backOf } from "../../../sdk/games/warmancer/bot/depth.js";
import { greedyWarmancer } from "../../../sdk/games/warmancer/bot/greedy.js";
import { SETUP_STYLES, suggestSetup } from "../../../sdk/games/warmancer/bot/setup.js";
import type { WarmancerView } from "../../../sdk/games/warmancer/bot/view.js";
import { Random } from "../../../sdk/laws/random.js";
import { anyBoard, SWITCHES } from "../../support/warmancer/boards.js";

const SIDES = [0, 1];
const chance = (seed: string) => new SeededRandom(id(seed));
const start = (mode: Mode) => startPosition(mode, { roots: [NO_STATE, NO_STATE] });

/** Views of both players in each turn of a game, by side. */
function viewsOf(mode: Mode, seed: string): WarmancerView[][] {
  const views: WarmancerView[][] = [[], []];
  const watched = SIDES.map((side) => ({
    choose: (view: WarmancerView, source: SeededRandom) => {
      views[side].push(view);
      return greedyWarmancer.choose(view, source);
    },
  }));
  duel(mode, [watched[0], watched[1]], chance(seed));
  return views;
}

/** Expects a sampled world (rank + 1 by slot) of a side to agree with all public facts. */
function expectToFit({ rules, sides }: Position, side: number, world: Uint8Array): void {
  const { alive, moved, movedFar, ranks } = sides[side];
  for (let slot = 0; slot < world.length; slot++) {
    const rank = world[slot] - 1;
    if (ranks[slot]) expect(world[slot]).to.equal(ranks[slot]);
    if (alive[slot] && moved[slot]) expect(isMobile(rank)).to.equal(true);
    if (alive[slot] && movedFar[slot]) expect(rank).to.equal(SCOUT);
  }
  const counts = RANKS.map((_, rank) => world.filter((code) => code === rank + 1).length);
  expect(counts).to.deep.equal(rules.army);
}

function expectNear(number: number, wanted: number, max: number): void {
  expect(Math.abs(number - wanted)).to.be.lessThan(max);
}

describe("Warmancer: belief", () => {
  it("weights each pawn's possible ranks by their number in the army, before any pawn has moved", () => {
    const { odds } = new Belief(start(SKIRMISH), 0, new Uint8Array(12));
    for (const [at, chance] of odds.entries()) expectNear(chance, SKIRMISH.army[at % KINDS] / 12, 1e-9);
  });

  it("never contradicts revealed facts, and never rules out the truth", () => {
    const source = chance("worlds");
    for (const mode of [SKIRMISH, { ...SKIRMISH, alwaysHidden: true }, { ...SKIRMISH, sequential: true }])
      for (const seed of ["one", "two", "three"]) {
        const views = viewsOf(mode, seed);
        for (const side of SIDES) {
          const truth = views[1 - side][0].known[1 - side];
          for (const { board, known } of views[side]) {
            const belief = new Belief(board, 1 - side, known[1 - side], { moves: RANKS.map((_, rank) => 1 + rank) });
            for (const world of belief.worlds(5, source)) expectToFit(board, 1 - side, world);
            for (const [slot, code] of truth.entries()) {
              if (!board.sides[1 - side].alive[slot]) continue;
              const odds = belief.odds.subarray(slot * KINDS, (slot + 1) * KINDS);
              expect(odds[code - 1]).to.be.greaterThan(0);
              expectNear(
                odds.reduce((sum, each) => sum + each, 0),
                1,
                1e-6,
              );
            }
          }
        }
      }
  });

  it("samples ranks with the frequencies that it computes", () => {
    const [views] = viewsOf(SKIRMISH, "sampled");
    const { board, known } = views[8];
    const habits = { throne: known[1].map((_, slot) => 1 + slot), moves: RANKS.map((_, rank) => 1 + rank) };
    const belief = new Belief(board, 1, known[1], habits);
    const worlds = belief.worlds(2000, chance("sampled"));
    for (const [at, odds] of belief.odds.entries()) {
      const slot = Math.floor(at / KINDS);
      if (!board.sides[1].alive[slot]) continue;
      const frequency = worlds.filter((world) => world[slot] === (at % KINDS) + 1).length / worlds.length;
      expectNear(frequency, odds, at % KINDS === THRONE ? 0.01 : 0.06);
    }
  });
});

describe("Warmancer: the estimate of a battle", () => {
  it("weighs the possible ranks of the other pawn by whether they win or lose", () => {
    const board = start(QUICK);
    const other = { side: 1, slot: 0 };
    const hidden = new Uint8Array(4);
    // A Throne, a Scout, a Grunt and a Warlord, all equally likely.
    const odds = battleOdds(
      board,
      RANKS.findIndex(({ name }) => name === "Grunt"),
      other,
      hidden,
    );
    expect(odds).to.deep.equal({ win: 0.5, both: 0.25, lose: 0.25 });
    expect(battleOdds(board, THRONE, other, hidden)).to.deep.equal({ win: 0, both: 0.25, lose: 0.75 });
    board.sides[1].moved[0] = 1;
    const moved = battleOdds(board, SCOUT, other, hidden);
    expectNear(moved.both, 1 / 3, 1e-6);
    expect(moved.win).to.equal(0);
    const warlord = 10;
    const known = Uint8Array.of(warlord + 1, 0, 0, 0);
    expect(battleOdds(board, ASSASSIN, other, known)).to.deep.equal({ win: 1, both: 0, lose: 0 });
    expect(battleOdds(board, SCOUT, other, known)).to.deep.equal({ win: 0, both: 0, lose: 1 });
  });
});

describe("Warmancer: setups of the computer player", () => {
  it("suggests armies that the mode allows, including bought ones", () => {
    const random = new Random("setups");
    const bought = { ...SKIRMISH, budget: priceOf(SKIRMISH.army) + 9 };
    const boards = SWITCHES.flatMap((switches) =>
      [true, false].map((each) => anyBoard(random, { ...switches, maxTurns: 0 }, each)),
    );
    const stock = Object.values(warmancer.modes).map(({ content }) => decodeMode(content));
    // The budget would pay for more Warlords than an army may have.
    const rich = { ...CLASSIC, budget: priceOf(CLASSIC.army) + 200 };
    for (const mode of [...stock, bought, rich, ...boards])
      for (const side of SIDES) checkRanks(mode, suggestSetup(mode, side, random));
    const prices = Array.from({ length: 20 }, () => priceOf(countsOf(suggestSetup(bought, 0, random))));
    expect(Math.min(...prices)).to.be.greaterThan(priceOf(SKIRMISH.army));
  });

  it("follows the requested style", () => {
    const source = chance("styles");
    const tiles = tilesOf(CLASSIC.setup1);
    /** Returns the average row of pawns with certain ranks in setups of a style. */
    const rowOf = (style: keyof typeof SETUP_STYLES, ranks: readonly number[]) => {
      const rows = Array.from({ length: 100 }, () => suggestSetup(CLASSIC, 0, source, SETUP_STYLES[style])).flatMap(
        (setup) => setup.flatMap((rank, slot) => (ranks.includes(rank) ? Math.floor(tiles[slot] / 16) : [])),
      );
      return rows.reduce((sum, row) => sum + row, 0) / rows.length;
    };
    const [strong, weak] = [
      [8, 9, 10],
      [2, 4],
    ];
    expect(rowOf("assault", strong)).to.be.greaterThan(rowOf("assault", weak) + 1);
    expect(rowOf("fortress", weak)).to.be.greaterThan(rowOf("fortress", strong) + 1);
    expect(Math.abs(rowOf("scattered", weak) - rowOf("scattered", strong))).to.be.lessThan(0.5);
    for (const style of Object.values(SETUP_STYLES))
      for (const mode of [CLASSIC, SKIRMISH, QUICK])
        for (const side of SIDES) checkRanks(mode, suggestSetup(mode, side, source, style));
  });

  it("varies setups, with the Throne in any back slot, and a Trap beside it if the army has one", () => {
    const source = chance("varied");
    for (const mode of [CLASSIC, SKIRMISH, QUICK]) {
      for (const side of SIDES) {
        const setups = Array.from({ length: 200 }, () => suggestSetup(mode, side, source));
        const thrones = new Set(setups.map((ranks) => ranks.indexOf(THRONE)));
        expect([...thrones].sort((a, b) => a - b)).to.deep.equal(backOf(mode, side));
        expect(new Set(setups.map(String)).size).to.be.greaterThan(mode === QUICK ? 6 : 180);
        const tiles = tilesOf(side === 0 ? mode.setup1 : mode.setup2);
        for (const ranks of setups) {
          const traps = NEIGHBOURS[tiles[ranks.indexOf(THRONE)]].filter((tile) => ranks[tiles.indexOf(tile)] === TRAP);
          if (mode.army[TRAP] > 0) expect(traps).to.not.deep.equal([]);
        }
      }
    }
  });
});

function countsOf(ranks: readonly number[]): number[] {
  return RANKS.map((_, rank) => ranks.filter((each) => each === rank).length);
}
