import { expect } from "chai";
import { kinds, type Mode } from "../../../sdk/games/mini-games/mode.js";
import { EPSILON, MiniGameStrategy, payoffsOf, type MiniGameView } from "../../../sdk/games/mini-games/bot.js";
import { forecast, type PastGame } from "../../../sdk/bots/learning.js";
import { solve, type Payoffs } from "../../../sdk/bots/matrix-game.js";
import { pickWeighted } from "../../../sdk/bots/source.js";
import { chanceOf, expectClose, gets, maxGained, parts, pure } from "../../support/bots.js";

const TINY = 1e-9;
const RPS: Mode = { kind: 0, ties: 1 };

const modes = Object.keys(kinds).flatMap((kind) => [0, 1].map((ties): Mode => ({ kind: Number(kind), ties })));
const nameOf = ({ kind, ties }: Mode) => `${kinds[kind].title}, ties are ${ties === 0 ? "the challenger's" : "draws"}`;

/** Returns player 1's share of the pot by the rules, averaged over the dice. `part` is the value of a draw. */
function gainOf({ kind, ties }: Mode, one: number, two: number, part: number): number {
  const tie = ties === 0 ? 1 : part;
  const higher = (a: number, b: number) => (a === b ? tie : Number(a > b));
  if (kind === 0) return [tie, 1, 0][(one + 3 - two) % 3];
  if (kind === 3) return one === two ? tie : 1 / 2;
  // Six of 36 pairs of rolls are ties.
  if (kind === 5) return (15 + 6 * tie) / 36;
  if (kind === 6 && Math.abs(one - two) === 1) return Number(one < two);
  return higher(one, two);
}

/** Histories of opponents with habits, with patterns, and without either. */
function pasts({ kind }: Mode): PastGame[][] {
  const { min, max } = kinds[kind];
  const size = max + 1 - min;
  const random = chanceOf(`past of ${kind}`);
  const any = () => min + random.below(size);
  const game = (played: number, faced = any()): PastGame => ({ played, faced });
  const repeated = (count: number, of: (i: number) => PastGame) => Array.from({ length: count }, (_, i) => of(i));
  const copying = repeated(40, () => game(any()));
  for (let i = 1; i < copying.length; i++) copying[i].played = copying[i - 1].faced;
  return [
    [],
    repeated(1, () => game(max)),
    repeated(50, () => game(min)),
    repeated(30, (i) => game(min + (i % size))),
    repeated(200, () => game(any())),
    copying,
  ];
}

describe("Mini-games: payoffs", () => {
  for (const mode of modes) {
    it(`follow the rules for every pair of moves: ${nameOf(mode)}`, () => {
      const { min, max } = kinds[mode.kind];
      for (const part of [1 / 2, 2 / 3, 0.05]) {
        const [first, second] = [1, 2].map((seat) => payoffsOf({ mode, seat, part }));
        for (let one = min; one <= max; one++) {
          for (let two = min; two <= max; two++) {
            const gain = gainOf(mode, one, two, part);
            expectClose(first[one - min][two - min], gain, TINY);
            expectClose(second[two - min][one - min], 1 - gain, TINY);
          }
        }
      }
    });

    it(`have an equilibrium from which no player gains by deviating: ${nameOf(mode)}`, () => {
      for (const seat of [1, 2]) {
        for (const part of [1 / 2, 2 / 3, 0.05]) {
          const payoffs = payoffsOf({ mode, seat, part });
          const { rows, columns, value } = solve(payoffs);
          for (const mix of [rows, columns]) {
            expectClose(
              mix.reduce((sum, chance) => sum + chance, 0),
              1,
              TINY,
            );
            expect(Math.min(...mix)).to.be.at.least(0);
          }
          expectClose(gets(payoffs, rows, columns), value, TINY);
          expect(maxGained(payoffs, rows, columns)).to.be.below(TINY);
        }
      }
    });
  }

  it("have the expected value in even games, and in games at the published odds", () => {
    const value = (mode: Mode, part?: number) => solve(payoffsOf({ mode, seat: 1, part })).value;
    for (const { kind } of modes) expectClose(value({ kind, ties: 1 }), 1 / 2, TINY);
    // With stakes of a : b, a game is even if player 1 gets a / (a + b) of the pot.
    for (const [kind, part] of [
      [0, 2 / 3],
      [3, 3 / 4],
      [5, 7 / 12],
    ]) {
      expectClose(value({ kind, ties: 0 }), part, TINY);
    }
    expect(solve(payoffsOf({ mode: RPS, seat: 1 })).rows.map((chance) => chance.toFixed(9))).to.deep.equal(
      Array(3).fill("0.333333333"),
    );
  });

  it("have an equilibrium for any table, even with dominated, equal or useless moves", () => {
    const random = chanceOf("tables");
    for (let n = 0; n < 300; n++) {
      const [height, width, max] = [1 + random.below(8), 1 + random.below(8), 2 + random.below(n % 2 === 0 ? 2 : 999)];
      const table: Payoffs = Array.from({ length: height }, () =>
        Array.from({ length: width }, () => random.below(max) / max - n / 300),
      );
      const { rows, columns, value } = solve(table);
      expectClose(gets(table, rows, columns), value, TINY, JSON.stringify(table));
      expect(maxGained(table, rows, columns), JSON.stringify(table)).to.be.below(TINY);
    }
  });
});

describe("Mini-games: strategy", () => {
  const strategy = new MiniGameStrategy();

  /** Returns the worst-case value of a mixed strategy, the opponent's best reply, and the equilibrium's value. */
  function worst(view: MiniGameView, mix: readonly number[]) {
    const payoffs = payoffsOf(view);
    const replies = pure(payoffs[0].length).map((reply) => gets(payoffs, mix, reply));
    return { min: Math.min(...replies), value: solve(payoffs).value, reply: replies.indexOf(Math.min(...replies)) };
  }

  for (const mode of modes) {
    it(`loses at most ε of the pot to an opponent that knows everything but the random numbers: ${nameOf(mode)}`, () => {
      for (const past of pasts(mode)) {
        for (const seat of [1, 2]) {
          for (const part of [1 / 2, 2 / 3]) {
            for (const epsilon of [0, 0.02, EPSILON, 1]) {
              const view = { mode, seat, part, past };
              const { min, value } = worst(view, new MiniGameStrategy(epsilon).mix(view));
              expect(value - min, JSON.stringify(view)).to.be.at.most(epsilon * value + TINY);
            }
          }
        }
      }
    });

    it(`always includes every move of the equilibrium, and shifts at most ε to other moves: ${nameOf(mode)}`, () => {
      for (const past of pasts(mode)) {
        const view = { mode, seat: 1, past };
        const { rows } = solve(payoffsOf(view));
        expectClose(
          strategy.mix(view).reduce((sum, chance) => sum + chance, 0),
          1,
          TINY,
        );
        for (const [move, chance] of strategy.mix(view).entries()) {
          expect(chance).to.be.at.least((1 - EPSILON) * rows[move]);
          expect(chance).to.be.at.most((1 - EPSILON) * rows[move] + EPSILON + TINY);
          if (rows[move] > 0) expect(chance).to.be.above(0);
        }
      }
    });
  }

  it("lets an adversary that runs the same code on the same past gain no more than ε per game", () => {
    const random = chanceOf("an adversary");
    for (const mode of modes.filter(({ kind }) => kind === 0 || kind === 6)) {
      const past: PastGame[] = [];
      const { min } = kinds[mode.kind];
      let [fair, had] = [0, 0];
      for (let n = 0; n < 100; n++) {
        const view = { mode, seat: 2, past: [...past] };
        const { min: left, value, reply } = worst(view, strategy.mix(view));
        fair += 1 - value;
        had += 1 - left;
        past.push({ played: min + reply, faced: strategy.choose(view, random) });
      }
      // The adversary gains something, because a learner can be exploited, but never more than ε.
      expect((had - fair) / 100, nameOf(mode)).to.be.within(0.001, EPSILON);
    }
  });

  it("plays only the highest number if that never loses, whatever the opponent's history", () => {
    for (const kind of [1, 2]) {
      for (const ties of [0, 1]) {
        for (const seat of [1, 2]) {
          for (const past of pasts({ kind, ties })) {
            const chosen = new Set(
              parts(21, (source) => strategy.choose({ mode: { kind, ties }, seat, past }, source)),
            );
            expect([...chosen]).to.deep.equal([kinds[kind].max]);
          }
        }
      }
    }
  });

  it("assumes no habit before the first game, and plays the exact equilibrium", () => {
    const view = { mode: RPS, seat: 1 };
    expect(strategy.mix(view)).to.deep.equal(solve(payoffsOf(view)).rows);
    expect(new MiniGameStrategy(0).mix({ ...view, past: [{ played: 0, faced: 0 }] })).to.deep.equal(strategy.mix(view));
  });

  /** Returns the share of the pot that the learnt strategy gets against an opponent, averaged over the last games. */
  function learntAgainst(opponent: (past: readonly PastGame[]) => number, games = 60, last = 30): number {
    const [random, learner] = [chanceOf("learning"), new MiniGameStrategy(1)];
    const past: PastGame[] = [];
    const payoffs = payoffsOf({ mode: RPS, seat: 1 });
    let sum = 0;
    for (let n = 0; n < games; n++) {
      const played = opponent(past);
      const mix = learner.mix({ mode: RPS, seat: 1, past: [...past] });
      if (n >= games - last) sum += gets(payoffs, mix, pure(3)[played]);
      // The opponent faces the moves that the strategy would play.
      past.push({ played, faced: strategy.choose({ mode: RPS, seat: 1, past: [...past] }, random) });
    }
    return sum / last;
  }

  const random = chanceOf("opponents");
  const opponents: [string, number, (past: readonly PastGame[]) => number][] = [
    ["who always plays rock", 1, () => 0],
    ["who mostly plays rock", 0.7, () => (random.below(10) < 8 ? 0 : 1 + random.below(2))],
    ["who cycles through the moves", 1, (past) => past.length % 3],
    ["who repeats the last move of its opponent", 1, (past) => past.at(-1)?.faced ?? 0],
    ["who plays the move that beats the last move of its opponent", 1, (past) => ((past.at(-1)?.faced ?? 0) + 1) % 3],
  ];
  for (const [who, min, opponent] of opponents) {
    it(`learns to beat an opponent ${who}`, () => {
      expect(learntAgainst(opponent)).to.be.at.least(min);
    });
  }

  it("earns more than the equilibrium from a learnt habit, in proportion to ε", () => {
    const past = Array.from({ length: 20 }, () => ({ played: 0, faced: 1 }));
    const mix = strategy.mix({ mode: RPS, seat: 1, past });
    const [paper, rock] = [mix[1], pure(3)[0]];
    expectClose(paper, (1 - EPSILON) / 3 + EPSILON, TINY);
    const payoffs = payoffsOf({ mode: RPS, seat: 1 });
    expectClose(gets(payoffs, mix, rock), 1 / 2 + EPSILON / 2, TINY);
  });

  it("uses overall frequencies if no earlier game was like the last game", () => {
    const past = [...Array.from({ length: 12 }, () => ({ played: 0, faced: 0 })), { played: 1, faced: 1 }];
    const [rock, paper, scissors] = forecast(past, 3);
    expect(rock).to.be.above(1 / 2);
    expect([rock > paper, paper > scissors]).to.deep.equal([true, true]);
    expectClose(rock + paper + scissors, 1, TINY);
  });

  it("forgets an outdated habit", () => {
    expect(learntAgainst((past) => (past.length < 30 ? 0 : past.length % 3), 90, 20)).to.be.above(0.8);
  });

  it("plays each move as often as its mixed strategy requires", () => {
    for (const mode of modes) {
      const view = { mode, seat: 2, past: pasts(mode)[1] };
      const { min } = kinds[mode.kind];
      const chosen = parts(500, (source) => strategy.choose(view, source));
      for (const [i, part] of strategy.mix(view).entries()) {
        expectClose(chosen.filter((move) => move === min + i).length / 500, part, 0.004, nameOf(mode));
      }
    }
  });

  it("chooses the same move for the same view and random numbers", () => {
    const view = { mode: { kind: 6, ties: 1 }, seat: 1, past: pasts({ kind: 6, ties: 1 })[4] };
    const moves = (source = chanceOf("same")) => Array.from({ length: 20 }, () => strategy.choose(view, source));
    expect(moves()).to.deep.equal(moves());
    expect(new Set(moves()).size).to.be.above(1);
    expect(pickWeighted([1], chanceOf("same"))).to.equal(0);
  });

  it("refuses an ε that is not between 0 and 1", () => {
    for (const epsilon of [-0.1, 1.1, NaN]) {
      expect(() => new MiniGameStrategy(epsilon)).to.throw(
        RangeError,
        `an epsilon of ${epsilon} is not between 0 and 1`,
      );
    }
  });
});
