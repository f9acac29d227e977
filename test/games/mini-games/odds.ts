import { expect } from "chai";
import { id } from "ethers";
import type { ModeFacts } from "../../../sdk/games/module.js";
import { Dice } from "../../../sdk/protocol/dice.js";
import { miniGames } from "../../../sdk/games/mini-games/index.js";
import { play } from "../../../sdk/games/mini-games/engine.js";
import { decodeMode } from "../../../sdk/games/mini-games/mode.js";

const MATCHES = 20_000;
const DEVIATIONS = 4;

/** Moves, by kind, of an optimal mixed strategy that plays each of them equally often. */
const SOUND: Record<number, number[]> = { 0: [0, 1, 2], 3: [0, 1], 5: [0], 6: [7, 8, 9] };

/** Returns player 1's chances to win and to tie if both play optimally, as fractions, from the rules alone. */
function chances(kind: number): { wins: number; ties: number; of: number } {
  if (kind === 0) return { wins: 3, ties: 3, of: 9 }; // 3 of 9 pairs tie, and each move beats one other move
  if (kind === 3) return { wins: 2, ties: 4, of: 8 }; // 2 calls, 2 calls and 2 flips: equal calls tie
  if (kind === 5) return { wins: 15, ties: 6, of: 36 }; // 6 of 36 pairs of dice are equal
  return { wins: 3, ties: 3, of: 9 }; // 7 beats 8, 8 beats 9, and 9 beats 7
}

/** Returns player 1's chance to win under the tie rule. */
function chanceOf(kind: number, ties: number): number {
  const { wins, ties: tied, of } = chances(kind);
  return (wins + (ties === 0 ? tied : 0)) / of;
}

/** Returns a random move that is the same in every run, because it depends on a seed. */
function moveOf(kind: number, dice: Dice, place: number): number {
  return SOUND[kind][dice.roll(1).lane(place, SOUND[kind].length)];
}

describe("Mini-games: odds", () => {
  const stock = Object.entries<ModeFacts>(miniGames.modes).map(([name, { content, odds }]) => ({
    name,
    ...decodeMode(content),
    stakes: odds.map(Number),
  }));
  const sound = stock.filter(({ kind }) => kind in SOUND);

  it("are 2 : 1, 3 : 1, 7 : 5, 2 : 1 and 1 : 0 if the challenger wins ties, and even if ties are draws", () => {
    const challenged = stock.filter(({ ties }) => ties === 0).map(({ name, stakes }) => [name, ...stakes]);
    expect(challenged).to.deep.equal([
      ["rock-paper-scissors-challenger", 2, 1],
      ["coin-challenger", 3, 1],
      ["dice-challenger", 1, 0],
      ["rolled-dice-challenger", 7, 5],
      ["undercut-challenger", 2, 1],
      ["strategy-challenger", 1, 0],
    ]);
    for (const { name, ties, stakes } of stock) if (ties === 1) expect(stakes, name).to.deep.equal([1, 1]);
  });

  for (const { name, kind, ties, stakes } of sound) {
    const [stake1, stake2] = stakes;
    const { wins, ties: tied, of } = chances(kind);
    const [won, lost] = [wins + (ties === 0 ? tied : 0), of - wins - tied];

    it(`give both players the same expected value by the rules: ${name}`, () => {
      expect(won * stake2 - lost * stake1).to.equal(0);
    });

    it(`give both players the same winnings over 20,000 matches, within four standard deviations: ${name}`, () => {
      let balance = 0;
      let winsOf1 = 0;
      for (let n = 0; n < MATCHES; n++) {
        const dice = new Dice(id(`${name}, match ${n}`));
        const moves = [moveOf(kind, dice, 0), moveOf(kind, dice, 1)] as const;
        const { winner } = play(id(`${name}, seed ${n}`), { kind, ties }, moves);
        balance += winner === 1 ? stake2 : winner === 2 ? -stake1 : 0;
        winsOf1 += Number(winner === 1);
      }
      const chance = chanceOf(kind, ties);
      const variance = (won * stake2 ** 2 + lost * stake1 ** 2) / of;
      expect(Math.abs(balance)).to.be.at.most(DEVIATIONS * Math.sqrt(MATCHES * variance));
      expect(Math.abs(winsOf1 - MATCHES * chance)).to.be.at.most(
        DEVIATIONS * Math.sqrt(MATCHES * chance * (1 - chance)),
      );
    });
  }

  it("leave no better moves at undercut than 7, 8 and 9 against a player who mixes these", () => {
    for (const ties of [0, 1]) {
      const score = (move: number, seat: number) =>
        SOUND[6].reduce((sum, other) => {
          const moves = seat === 1 ? ([move, other] as const) : ([other, move] as const);
          const { winner } = play(id("none"), { kind: 6, ties }, moves);
          return sum + (winner === seat ? 2 : winner === 0 ? 1 : 0);
        }, 0);
      for (const seat of [1, 2]) {
        const best = Math.max(...Array.from({ length: 10 }, (_, move) => score(move, seat)));
        for (const move of SOUND[6]) expect(score(move, seat), `ties ${ties}, seat ${seat}`).to.equal(best);
      }
    }
  });

  it("require no stake of player 2 in modes that the challenger cannot lose", () => {
    const unlosable = stock.filter(({ kind, ties }) => ties === 0 && !(kind in SOUND));
    expect(unlosable.map(({ name, stakes }) => [name, stakes])).to.deep.equal([
      ["dice-challenger", [1, 0]],
      ["strategy-challenger", [1, 0]],
    ]);
    for (const kind of [1, 2]) {
      const [lowest, highest] = kind === 1 ? [1, 6] : [0, 9];
      for (let other = lowest; other <= highest; other++) {
        expect(play(id("none"), { kind, ties: 0 }, [highest, other]).winner).to.equal(1);
      }
    }
  });
});
