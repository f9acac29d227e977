import { readFileSync } from "node:fs";
import { expect } from "chai";
import { concat, keccak256, toBeHex, ZeroHash } from "ethers";
import { autoBattler } from "../../../sdk/games/auto-battler/index.js";
import { averageOf, measureOdds, shareOf, type Average, type Share } from "../../../sdk/games/calculator.js";
import { guardians } from "../../../sdk/games/guardians/index.js";
import { games, stockGame } from "../../../sdk/games/index.js";
import { miniGames } from "../../../sdk/games/mini-games/index.js";
import { pistolsGame } from "../../../sdk/games/pistols/index.js";
import { InputError } from "../../../sdk/protocol/input.js";

const SEED = `0x${"5e".repeat(32)}` as const;
const golden = (game: string) =>
  JSON.parse(readFileSync(`test/golden/${game}/001.in.json`, "utf8")) as Record<string, unknown>;
const COIN = { mode: { kind: 3, ties: 1 }, moves: [0, 1] };

/** Expects an interval around a value, whose ends are given to three decimals. */
function expectInterval({ low, high }: Share | Average, ends: [number, number]): void {
  expect([low, high].map((end) => Number(end.toFixed(3)))).to.deep.equal(ends);
}

/** Expects numbers to be equal up to rounding; the matchers of the chain's test runner accept only integers. */
function expectClose(actual: number | null, expected: number): void {
  expect(Math.abs(actual! - expected) < 1e-9, `${actual} instead of ${expected}`).to.equal(true);
}

async function refusal(promise: Promise<unknown>): Promise<string> {
  const error: unknown = await promise.catch((reason: unknown) => reason);
  expect(error).to.be.instanceOf(InputError);
  return (error as InputError).message;
}

describe("A calculator", () => {
  it("returns the Wilson score interval of a share", () => {
    expect(shareOf(5, 10).share).to.equal(0.5);
    expectInterval(shareOf(5, 10), [0.237, 0.763]);
    expectInterval(shareOf(0, 10), [0, 0.278]);
    expectInterval(shareOf(10, 10), [0.722, 1]);
    expectInterval(shareOf(1, 1000), [0, 0.006]);
  });

  it("returns the confidence interval of a mean, and the smallest and largest observed value", () => {
    const { mean, min, max, ...ends } = averageOf([2, 4, 4, 4, 5, 5, 7, 9]);
    expect([mean, min, max]).to.deep.equal([5, 2, 9]);
    // The standard deviation of the sample is sqrt(32 / 7). Divided by sqrt(8) and times 1.96, it is 1.482.
    expectInterval({ mean, min, max, ...ends }, [3.518, 6.482]);
    expect(averageOf([7])).to.deep.equal({ mean: 7, low: 7, high: 7, min: 7, max: 7 });
  });

  it("returns the same odds for the same seed, and uses a different seed for each run", async () => {
    const odds = await measureOdds(miniGames, COIN, 400, SEED);
    expect(await measureOdds(miniGames, COIN, 400, SEED)).to.deep.equal(odds);
    expect(await measureOdds(miniGames, COIN, 400, ZeroHash)).not.to.deep.equal(odds);
    // The coin alone decides: each player wins some of the runs.
    const { player1, player2, draw } = odds.wins;
    expect([draw.share, player1.share + player2.share]).to.deep.equal([0, 1]);
    expect(player1.low < 0.5 && player1.low > 0.3).to.equal(true);
    expect(player1.high > 0.5 && player1.high < 0.7).to.equal(true);
    expect(odds.measured).to.deep.equal({ ties: { share: 0, low: 0, high: odds.wins.draw.high } });
  });

  it("counts the events in a battle of fighters", async () => {
    const { measured, wins } = await measureOdds(autoBattler, golden("auto-battler"), 1, SEED);
    const output = await autoBattler.simulate({
      ...golden("auto-battler"),
      seed: keccak256(concat([SEED, toBeHex(0, 32)])),
    });
    const { rounds, turns, hp, winner } = output;
    const dealt = (player: number) =>
      turns.filter(({ attacker }) => attacker === player).map(({ damageDealt }) => damageDealt);
    const sum = (numbers: number[]) => numbers.reduce((total, each) => total + each, 0);
    const means = Object.fromEntries(
      Object.entries(measured).map(([name, value]) => [name, "mean" in value ? value.mean : value.share]),
    );
    expect(means).to.deep.equal({
      rounds,
      attacks: turns.length,
      damage1: sum(dealt(1)),
      damage2: sum(dealt(2)),
      survivors1: hp[0].filter(Boolean).length,
      survivors2: hp[1].filter(Boolean).length,
      attacksFirst1: output.first === 1 ? 1 : 0,
    });
    expect([wins.player1.share, wins.player2.share]).to.deep.equal(winner === 1 ? [1, 0] : [0, 1]);
  });

  it("computes the expected result of a card as in the first example of the documentation", async () => {
    const card = { power: 500, defense: 200, hp: 1000, speed: 100, critical: 250, luck: 150, type: 0 };
    const other = { power: 450, defense: 250, hp: 1200, speed: 90, critical: 200, luck: 100, type: 1 };
    const input = { mode: { teamSize: 1 }, teams: [[card], [other]] };
    const { expectations } = await measureOdds(guardians, input, 1, SEED);
    // A damage of 375 becomes 431 with the type advantage, and 862 if the hit is also critical.
    const perHit = 0.75 * 431 + 0.25 * 862;
    expect(expectations![0]).to.deep.include({ side: 0, attackerSlot: 0, defenderSlot: 0, damagePerHit: perHit });
    expect(expectations![0].dodgeChance).to.equal(0.1);
    expectClose(expectations![0].damagePerAttack, 0.9 * perHit);
    expectClose(expectations![0].attacksToDefeat, 1200 / (0.9 * perHit));
    // A damage of 350 becomes 297 with the type disadvantage, and 595 if the hit is also critical.
    expect(expectations![1]).to.deep.include({ side: 1, damagePerHit: 0.8 * 297 + 0.2 * 595, dodgeChance: 0.15 });
  });

  it("caps the chance to dodge as the mode does, and shows that a card which always dodges cannot be defeated", async () => {
    const card = { power: 500, defense: 200, hp: 1000, speed: 100, critical: 0, luck: 1000, type: 0 };
    const chances = async (mode: object) => {
      const { expectations } = await measureOdds(guardians, { mode, teams: [[card], [card]] }, 1, SEED);
      return expectations!.map(({ dodgeChance, attacksToDefeat }) => [dodgeChance, attacksToDefeat]);
    };
    expect((await chances({ teamSize: 1 }))[0]).to.deep.equal([0.75, 10]);
    expect((await chances({ teamSize: 1, dodgeCap: 1000 }))[0]).to.deep.equal([1, null]);
  });

  it("measures the odds of every game that has dice", async () => {
    for (const game of games.filter(({ odds }) => odds?.calculator)) {
      const { wins, measured } = await measureOdds(game, golden(game.name), 20, SEED);
      const shares = Object.values(wins).map(({ share }) => share);
      expectClose(
        shares.reduce((sum, share) => sum + share),
        1,
      );
      expect(Object.keys(measured), game.name).not.to.be.empty;
    }
  });

  it("rejects games without dice, and passes on a simulation's error", async () => {
    const dull = games.filter(({ odds }) => !odds?.calculator).map(({ name }) => name);
    expect(dull).to.include.members(["tic-tac-toe", "warmancer"]);
    for (const game of [stockGame("tic-tac-toe"), stockGame("warmancer")]) {
      const message = await refusal(measureOdds(game, golden(game.name), 1, SEED));
      expect(message).to.equal(`--odds: ${game.name} has no dice: a file always ends in the same way`);
    }
    const honours = await refusal(measureOdds(pistolsGame, { honours: [10] }, 1, SEED));
    expect(honours).to.match(/^honours: a record has no dice/);
    expect(await refusal(measureOdds(miniGames, null, 1, SEED))).to.equal("input: null is not an object");
    expect(await refusal(measureOdds(miniGames, { ...COIN, moves: [0, 2] }, 1, SEED))).to.match(/^moves\[1\]: /);
    const { blades: _, ...lacking } = golden("pistols");
    expect(await refusal(measureOdds(pistolsGame, lacking, 200, SEED))).to.match(/^blades: left out/);
  });
});
