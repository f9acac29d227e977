import { expect } from "chai";
import { readFileSync } from "node:fs";
import { SeededRandom } from "../../../sdk/bots/seeded-random.js";
import { WIN_RATE_RUNS, measureWinRate, setupsOf, weaknessOf } from "../../../sdk/games/win-rate.js";
import { measured } from "../../../sdk/games/win-rates.js";
import { stockGame, games } from "../../../sdk/games/index.js";
import type { WinRate } from "../../../sdk/games/module.js";

describe("The table of win rates by seat", () => {
  // `npm run bench` measures a new game; until then, the game is described without win rates.
  const known = games.filter(({ name }) => Object.hasOwn(measured, name));

  it("contains every stock mode of the measured games, and no other mode", () => {
    const names = Object.entries(measured).map(([name, each]) => [name, Object.keys(each)]);
    expect(names).to.deep.equal(known.map((game) => [game.name, Object.keys(setupsOf(game))]));
    for (const [i, { modes }] of known.entries()) expect(names[i][1]).to.include.members(Object.keys(modes));
  });

  it("does not affect a game that was not measured", () => {
    const unknown = { ...stockGame("tic-tac-toe"), name: "noughts" };
    expect(weaknessOf(unknown, "default")).to.equal(unknown.modes.default.weakness);
    expect(weaknessOf({ ...unknown, modes: { default: { content: "0x", odds: [1n, 1n] } } }, "default")).to.equal(
      undefined,
    );
  });

  it("accounts for all matches of a measurement", () => {
    for (const game of known) {
      for (const { player1, player2, draws } of Object.values(measured[game.name]))
        expect(player1 + player2 + draws).to.equal(game.odds?.winRateRuns ?? WIN_RATE_RUNS);
    }
  });

  /** The same names, with counts of the first matches only. */
  const firstMatches = JSON.parse(readFileSync("test/win-rates.json", "utf8")) as typeof measured;

  it("must be measured again by `npm run bench` if a game's first matches end differently", async () => {
    for (const game of known) {
      const found: Record<string, WinRate> = {};
      for (const [name, setup] of Object.entries(setupsOf(game))) {
        const { player1, player2, draws } = firstMatches[game.name][name];
        found[name] = await measureWinRate(game, setup, player1 + player2 + draws);
      }
      expect(found).to.deep.equal(firstMatches[game.name]);
    }
  });

  it("agrees with an enumeration of all games of tic-tac-toe", () => {
    // Over all random games X wins 737/1260, O 121/420 and 8/63 are drawn.
    const { player1, player2, draws } = measured["tic-tac-toe"].default;
    for (const [count, chance] of [
      [player1, 737 / 1260],
      [player2, 121 / 420],
      [draws, 8 / 63],
    ]) {
      const deviation = Math.sqrt(WIN_RATE_RUNS * chance * (1 - chance));
      expect(Math.abs(count - WIN_RATE_RUNS * chance)).to.be.lessThan(4 * deviation);
    }
  });

  it("is quoted only for a mode with a weakness", () => {
    expect(weaknessOf(stockGame("auto-battler"), "default")).to.equal(undefined);
    const { player1, player2 } = measured["tic-tac-toe"]["x-wins-ties"];
    expect(weaknessOf(stockGame("tic-tac-toe"), "x-wins-ties")).to.equal(
      `Player 1 wins whenever it plays well. Of 20000 matches at random player 1 won ${player1}, player 2 ${player2}.`,
    );
  });

  it("has an entry for each archetype at full strength against a newcomer", () => {
    const { modes, odds } = stockGame("pistols");
    const [villainous, trickster, honourable] = ["villainous", "trickster", "honourable"].map((archetype) => {
      const { player1, player2 } = measured.pistols[`default, ${archetype}`];
      expect(player1, archetype).to.be.greaterThan(player2);
      return `${archetype} ${player1} and ${player2}`;
    });
    const told = weaknessOf(stockGame("pistols"), "default")!;
    expect(told.startsWith(modes.default.weakness!)).to.equal(true);
    expect(told).to.match(new RegExp(`: ${villainous}, ${trickster}, ${honourable}\\.$`));
    const input = odds!.starts!.default.inputs.honourable(new SeededRandom(`0x${"22".repeat(32)}`));
    expect(input).to.deep.include({
      duelists: [
        { archetype: 3, m: 100 },
        { archetype: 0, m: 0 },
      ],
    });
  });

  it("comes from fair dice, which are the same for the same seed", () => {
    const [one, two] = [0, 1].map(() => new SeededRandom(`0x${"11".repeat(32)}`));
    const rolls = Array.from({ length: 6000 }, () => one.below(6));
    expect(Array.from({ length: 6000 }, () => two.below(6))).to.deep.equal(rolls);
    for (let side = 0; side < 6; side++) expect(rolls.filter((roll) => roll === side).length).to.be.within(880, 1120);
  });

  it("leaves it to an unmeasured game's mode to state a weakness", () => {
    const { modes } = stockGame("tic-tac-toe");
    const unmeasured = { ...stockGame("tic-tac-toe"), name: "noughts", odds: undefined };
    expect(weaknessOf(unmeasured, "default")).to.equal(modes.default.weakness);
    expect(
      weaknessOf({ ...unmeasured, modes: { plain: { ...modes.default, weakness: undefined } } }, "plain"),
    ).to.equal(undefined);
    expect(setupsOf(unmeasured)).to.deep.equal({});
  });
});
