import { expect } from "chai";
import { id } from "ethers";
import { SeededRandom } from "../../sdk/bots/seeded-random.js";
import type { Payoffs } from "../../sdk/bots/matrix-game.js";
import type { RandomSource } from "../../sdk/bots/source.js";

/** Returns a random source that is the same for the same seed. */
export const chanceOf = (words: string) => new SeededRandom(id(words));

/** A random source that returns these numbers in order, then zeros. */
export function scripted(...numbers: number[]): RandomSource {
  return { below: () => numbers.shift() ?? 0 };
}

/** Lists all outcomes of a random process, one for each combination of random choices. */
export function everyWay<T>(run: (source: RandomSource) => T): T[] {
  const ends: T[] = [];
  const fallen: { value: number; n: number }[] = [];
  do {
    let at = 0;
    const below = (n: number) => (fallen[at++] ??= { value: 0, n }).value;
    ends.push(run({ below }));
    while (fallen.length > 0 && fallen.at(-1)!.value === fallen.at(-1)!.n - 1) fallen.pop();
    if (fallen.length > 0) fallen.at(-1)!.value++;
  } while (fallen.length > 0);
  return ends;
}

/** Returns the results of a weighted choice for a number of evenly spaced draws. */
export function parts<T>(count: number, choose: (source: RandomSource) => T): T[] {
  const of = (i: number) => Math.floor(((i + 0.5) * 2 ** 21) / count);
  return Array.from({ length: count }, (_, i) => choose(scripted(of(i))));
}

/** Returns the average payoff of the row player. */
export function gets(payoffs: Payoffs, rows: readonly number[], columns: readonly number[]): number {
  return rows.reduce(
    (sum, row, i) => sum + row * columns.reduce((part, column, j) => part + column * payoffs[i][j], 0),
    0,
  );
}

/** Returns each pure strategy as a mixed strategy. */
export function pure(moves: number): number[][] {
  return Array.from({ length: moves }, (_, move) => Array.from({ length: moves }, (_, i) => Number(i === move)));
}

/** Returns the most that either player gains by deviating from an equilibrium. */
export function maxGained(payoffs: Payoffs, rows: readonly number[], columns: readonly number[]): number {
  const value = gets(payoffs, rows, columns);
  const byRows = pure(payoffs.length).map((row) => gets(payoffs, row, columns) - value);
  const byColumns = pure(payoffs[0].length).map((column) => value - gets(payoffs, rows, column));
  return Math.max(...byRows, ...byColumns);
}

/** Expects equality within a tolerance. Chai's `closeTo` rejects fractions once Hardhat's matchers are loaded. */
export function expectClose(actual: number, expected: number, max: number, message?: string): void {
  expect(Math.abs(actual - expected), `${message ?? ""} ${actual} ${expected}`).to.be.at.most(max);
}
