/** A game that an opponent has played; moves count from 0. */
export interface PastGame {
  /** The opponent's move. */
  played: number;
  /** The move that was played against it. */
  faced: number;
}

/** Habits: an opponent's choice may depend on nothing, on its own last move, or on the last move against it. */
const HABITS: readonly ((last: PastGame | undefined) => number)[] = [
  () => 0,
  (last) => last?.played ?? -1,
  (last) => last?.faced ?? -1,
];

/** Initial count of each move; below 1, so that few games are enough to reveal a habit. */
const UNSEEN = 0.5;

/** Counts of the played moves in each situation that a habit distinguishes. */
class Habit {
  private readonly counts = new Map<number, number[]>();

  constructor(
    private readonly of: (last: PastGame | undefined) => number,
    private readonly moves: number,
  ) {}

  /** Returns the probability of each move after the last game. */
  expects(last: PastGame | undefined): number[] {
    const counts = this.counts.get(this.of(last)) ?? [];
    const all = Array.from({ length: this.moves }, (_, move) => (counts[move] ?? 0) + UNSEEN);
    const total = all.reduce((sum, count) => sum + count, 0);
    return all.map((count) => count / total);
  }

  learn(last: PastGame | undefined, move: number): void {
    const key = this.of(last);
    const counts = this.counts.get(key) ?? Array<number>(this.moves).fill(0);
    counts[move]++;
    this.counts.set(key, counts);
  }
}

/**
 * Forecasts an opponent's next move. Each habit, and having no habit, is weighted by how well it would have forecast
 * the past games.
 * @param past The opponent's games, oldest first.
 * @param moves Number of possible moves.
 * @returns The probability of each move.
 * @example
 * ```ts
 * import { forecast } from "duello/bots";
 *
 * const past = [{ played: 0, faced: 1 }, { played: 0, faced: 2 }, { played: 0, faced: 0 }];
 * const [rock, paper] = forecast(past, 3);
 * rock > paper; // => true
 * ```
 */
export function forecast(past: readonly PastGame[], moves: number): number[] {
  const habits = HABITS.map((of) => new Habit(of, moves));
  // These are logarithms, as the probability of a long past would underflow.
  const trust = [0, ...habits.map(() => 0)];
  for (const [i, { played }] of past.entries()) {
    const last = past[i - 1];
    trust[0] -= Math.log(moves);
    for (const [k, habit] of habits.entries()) {
      trust[k + 1] += Math.log(habit.expects(last)[played]);
      habit.learn(last, played);
    }
  }
  const max = Math.max(...trust);
  const weights = trust.map((log) => Math.exp(log - max));
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const guesses = [Array<number>(moves).fill(1 / moves), ...habits.map((habit) => habit.expects(past.at(-1)))];
  return Array.from({ length: moves }, (_, move) =>
    guesses.reduce((sum, guess, k) => sum + (guess[move] * weights[k]) / total, 0),
  );
}
