import { chancesOf } from "./engine.js";
import { kinds, type Mode } from "./mode.js";
import { forecast, type PastGame } from "../../bots/learning.js";
import { solve, type Payoffs } from "../../bots/matrix-game.js";
import { pickWeighted, type Source } from "../../bots/source.js";
import type { Strategy } from "../../bots/strategy.js";

/** A mini-game before a move. */
export interface MiniGameView {
  mode: Mode;
  /** The seat to choose for, 1 or 2. */
  seat: number;
  /** What player 1 stakes, as a part of both stakes; a half if left out. It is what a draw is worth. */
  part?: number;
  /** The opponent's earlier games of the same kind against whomever, oldest first. */
  past?: readonly PastGame[];
}

/** How much of its choice a player leaves to what it has learnt, unless told otherwise. */
export const EPSILON = 0.1;

/**
 * Plays the equilibrium, but for a part `epsilon` in which it answers what the opponent is likely to do by its past. So
 * an opponent that knows all but the chance gains at most `epsilon` of the pot a game over the equilibrium.
 */
export class MiniGameStrategy implements Strategy<MiniGameView, number> {
  /** @throws RangeError for an epsilon that is not between 0 and 1. */
  constructor(private readonly epsilon = EPSILON) {
    if (!(epsilon >= 0 && epsilon <= 1)) throw new RangeError(`an epsilon of ${epsilon} is not between 0 and 1`);
  }

  choose(view: MiniGameView, source: Source): number {
    return kinds[view.mode.kind].min + pickWeighted(this.mix(view), source);
  }

  /** How likely each move is, from the least. */
  mix(view: MiniGameView): number[] {
    const payoffs = payoffsOf(view);
    const { rows } = solve(payoffs);
    const { min } = kinds[view.mode.kind];
    const past = (view.past ?? []).map(({ played, faced }) => ({ played: played - min, faced: faced - min }));
    if (past.length === 0) return rows;
    const learnt = bestAgainst(payoffs, forecast(past, payoffs[0].length));
    return rows.map((chance, move) => (1 - this.epsilon) * chance + this.epsilon * Number(move === learnt));
  }
}

/** How likely a seat wins, a draw by half, where both play as well as they can. */
export function chanceIn({ mode, seat }: MiniGameView): number {
  return solve(payoffsOf({ mode, seat })).value;
}

/** What a seat gets of the pot, before the house, by its move and the other's, from the least. */
export function payoffsOf({ mode, seat, part = 1 / 2 }: MiniGameView): Payoffs {
  const { min, max } = kinds[mode.kind];
  const moves = Array.from({ length: max - min + 1 }, (_, i) => min + i);
  const draw = seat === 1 ? part : 1 - part;
  return moves.map((own) =>
    moves.map((other) => {
      const ends = chancesOf(mode, seat === 1 ? [own, other] : [other, own]);
      const gets = ends.map(({ winner }) => (winner === 0 ? draw : Number(winner === seat)));
      return gets.reduce((sum, get) => sum + get, 0) / ends.length;
    }),
  );
}

/** The first of the moves that get the most against an opponent's mix. */
function bestAgainst(payoffs: Payoffs, mix: readonly number[]): number {
  const gets = payoffs.map((row) => row.reduce((sum, get, other) => sum + get * mix[other], 0));
  return gets.indexOf(Math.max(...gets));
}
