import { pick, type Source } from "./source.js";
import type { Strategy } from "./strategy.js";

/** A game of open turns that is small enough to be looked through to all its ends; player 1 moves first. */
export interface SmallGame {
  /** What some moves have come to, oldest first. */
  after(moves: readonly number[]): Position;
}

/** What moves have come to. */
export interface Position {
  /** The same for the same position, however it came about. */
  key: string;
  /** What may be played next; nothing once the game is over. */
  moves: readonly number[];
  /** Who has won once it is over, 1 or 2; 0 for nobody. */
  winner: number;
}

/** What a position is worth to who moves: between players who play well, and between ones who play any moves. */
interface Worth {
  sure: number;
  hoped: number;
}

/** Differences of hopes below this are those of rounding. */
const ROUNDING = 1e-9;

/**
 * Never loses what can be held, wins what can be won, and else goes where an opponent who knows no better loses most.
 */
export class PerfectStrategy implements Strategy<readonly number[], number> {
  private readonly known = new Map<string, Worth>();

  constructor(private readonly game: SmallGame) {}

  /** A move behind those played so far. @throws RangeError if the game is over. */
  choose(played: readonly number[], source: Source): number {
    const { moves } = this.game.after(played);
    const worths = moves.map((move) => this.worthBehind(played, move));
    return pick(
      moves.filter((_, i) => !worths.some((other) => betters(other, worths[i]))),
      source,
    );
  }

  /** How likely who moves wins, a draw by half, between players who play well. */
  chance(played: readonly number[]): number {
    return (1 + this.worthOf(played).sure) / 2;
  }

  /** What a move is worth to who plays it: the opposite of what it is to who moves then. */
  private worthBehind(played: readonly number[], move: number): Worth {
    const { sure, hoped } = this.worthOf([...played, move]);
    return { sure: -sure, hoped: -hoped };
  }

  private worthOf(played: readonly number[]): Worth {
    const { key, moves, winner } = this.game.after(played);
    if (moves.length === 0) {
      const toMove = 1 + (played.length % 2);
      const won = winner === 0 ? 0 : winner === toMove ? 1 : -1;
      return { sure: won, hoped: won };
    }
    const worth = this.known.get(key) ?? summary(moves.map((move) => this.worthBehind(played, move)));
    this.known.set(key, worth);
    return worth;
  }
}

/** Players who play well pick the best move. */
function summary(worths: readonly Worth[]): Worth {
  return {
    sure: Math.max(...worths.map(({ sure }) => sure)),
    hoped: worths.reduce((sum, { hoped }) => sum + hoped, 0) / worths.length,
  };
}

function betters(one: Worth, other: Worth): boolean {
  return one.sure > other.sure || (one.sure === other.sure && one.hoped > other.hoped + ROUNDING);
}
