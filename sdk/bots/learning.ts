/** A game of an opponent's: what it played, and what it played against; moves count from 0. */
export interface PastGame {
  played: number;
  faced: number;
}

/** What an opponent may go by: nothing, its own last move, or the last one against it. */
const HABITS: readonly ((last: PastGame | undefined) => number)[] = [
  () => 0,
  (last) => last?.played ?? -1,
  (last) => last?.faced ?? -1,
];

/** What a move counts before it was seen; below 1, so that a habit shows soon. */
const UNSEEN = 0.5;

/** What was played where a habit said the same. */
class Habit {
  private readonly counts = new Map<number, number[]>();

  constructor(
    private readonly of: (last: PastGame | undefined) => number,
    private readonly moves: number,
  ) {}

  /** How likely each move is after the last game. */
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
 * How likely each of so many moves is to be an opponent's next one, by its games so far, oldest first. Each habit
 * counts for as much as it has foretold those games, and so does having none.
 */
export function forecast(past: readonly PastGame[], moves: number): number[] {
  const habits = HABITS.map((of) => new Habit(of, moves));
  const trust = [0, ...habits.map(() => 0)]; // logarithms, or long pasts would be too small for numbers
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
