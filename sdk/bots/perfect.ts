import { pick, type RandomSource } from "./source.js";
import type { Strategy } from "./strategy.js";

/** A game of open turns that is small enough to be searched completely; player 1 moves first. */
export interface SmallGame {
  /** Returns the position after some moves, oldest first. */
  after(moves: readonly number[]): Position;
}

/** A position of a small game. */
export interface Position {
  /** Name of the position, which does not depend on the moves that led to the position. */
  key: string;
  /** Moves that may be played next; empty once the game is over. */
  moves: readonly number[];
  /** Winner once the game is over, 1 or 2; 0 for a draw. */
  winner: number;
}

/** Value of a position to the player who moves, from -1 for a loss to 1 for a win. */
interface Worth {
  /** Value between perfect players. */
  sure: number;
  /** Value between players who move at random. */
  hoped: number;
}

/** Bound below which differences are rounding errors. */
const EPSILON = 1e-9;

/**
 * Plays a small game perfectly: it never loses a position that can be held, and wins every position that can be won.
 * Among moves of equal value, it prefers those after which a random opponent does worst.
 * @example
 * ```ts
 * import { PerfectStrategy } from "duello";
 *
 * // Players take 1 or 2 of five sticks in turn; whoever takes the last one wins.
 * const after = (taken: readonly number[]) => {
 *   const left = taken.reduce((rest, n) => rest - n, 5);
 *   return { key: `${left}`, moves: [1, 2].filter((n) => n <= left), winner: left > 0 ? 0 : 2 - (taken.length % 2) };
 * };
 * new PerfectStrategy({ after }).choose([], source); // => 2
 * ```
 */
export class PerfectStrategy implements Strategy<readonly number[], number> {
  private readonly known = new Map<string, Worth>();

  constructor(private readonly game: SmallGame) {}

  /** Chooses the next move after those played so far. @throws RangeError if the game is over. */
  choose(played: readonly number[], source: RandomSource): number {
    const { moves } = this.game.after(played);
    const worths = moves.map((move) => this.worthBehind(played, move));
    return pick(
      moves.filter((_, i) => !worths.some((other) => betters(other, worths[i]))),
      source,
    );
  }

  /** Returns the probability that the player who moves wins between perfect players, a draw counting half. */
  chance(played: readonly number[]): number {
    return (1 + this.worthOf(played).sure) / 2;
  }

  /** Returns the value of a move to its player: the negated value of the position after it. */
  private worthBehind(played: readonly number[], move: number): Worth {
    const { sure, hoped } = this.worthOf([...played, move]);
    return { sure: -sure, hoped: -hoped };
  }

  private worthOf(played: readonly number[]): Worth {
    const { key, moves, winner } = this.game.after(played);
    if (moves.length === 0) {
      const mover = played.length % 2 === 0 ? 1 : 2;
      const won = winner === 0 ? 0 : winner === mover ? 1 : -1;
      return { sure: won, hoped: won };
    }
    const worth = this.known.get(key) ?? summary(moves.map((move) => this.worthBehind(played, move)));
    this.known.set(key, worth);
    return worth;
  }
}

/** Returns the value of a position from the values of its moves: perfect players pick the best one. */
function summary(worths: readonly Worth[]): Worth {
  return {
    sure: Math.max(...worths.map(({ sure }) => sure)),
    hoped: worths.reduce((sum, { hoped }) => sum + hoped, 0) / worths.length,
  };
}

function betters(one: Worth, other: Worth): boolean {
  return one.sure > other.sure || (one.sure === other.sure && one.hoped > other.hoped + EPSILON);
}
