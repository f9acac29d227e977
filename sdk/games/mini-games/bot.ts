import { keccak256, toNumber } from "ethers";
import { forecast, type PastGame } from "../../bots/learning.js";
import { solve, type Payoffs } from "../../bots/matrix-game.js";
import { cryptoSource, pickWeighted, type RandomSource } from "../../bots/source.js";
import type { Strategy } from "../../bots/strategy.js";
import { opponentOf, partOf, type Assessment } from "../assessment.js";
import type { Turn } from "../moves.js";
import { pastRounds } from "../past-rounds.js";
import { chancesOf } from "./engine.js";
import { encodeMode, kinds, modeOfHash, Ties, type Mode } from "./mode.js";
import { MOVE_BYTES, movesOf } from "./moves.js";

/** A player's view of a mini-game before it moves. */
export interface MiniGameView {
  mode: Mode;
  /** Seat to choose for, 1 or 2. */
  seat: number;
  /** Player 1's stake as a fraction of both stakes, which is the value of a draw; defaults to a half. */
  part?: number;
  /** Earlier games of the same kind that the opponent has played, against anybody, oldest first. */
  past?: readonly PastGame[];
}

/** Default fraction of a player's choices that follow what the player has learnt. */
export const EPSILON = 0.1;

/** Bound below which differences of probabilities are rounding errors. */
const ROUNDING = 1e-9;

/** Maximum number of the opponent's games to learn from. */
const MAX_PAST = 200;

/**
 * Plays the equilibrium or, with probability `epsilon`, the best answer to the opponent's likely move, given its past.
 * An opponent who knows all but the dice thus gains at most `epsilon` of the pot per game over the equilibrium.
 * @example
 * ```ts
 * import { cryptoSource, MiniGameStrategy } from "duello/bots";
 * import { KindId, Ties } from "duello/games/mini-games";
 *
 * const mode = { kind: KindId.RockPaperScissors, ties: Ties.Draw };
 * const move = new MiniGameStrategy().choose({ mode, seat: 1 }, cryptoSource); // 0, 1 or 2
 * move < 3; // => true
 * ```
 */
export class MiniGameStrategy implements Strategy<MiniGameView, number> {
  /** @throws RangeError for an epsilon that is not between 0 and 1. */
  constructor(private readonly epsilon = EPSILON) {
    if (!(epsilon >= 0 && epsilon <= 1)) throw new RangeError(`an epsilon of ${epsilon} is not between 0 and 1`);
  }

  choose(view: MiniGameView, source: RandomSource): number {
    return kinds[view.mode.kind].min + pickWeighted(this.mix(view), source);
  }

  /** Returns the probability of each move, from the lowest move. */
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

const player = new MiniGameStrategy();

/** Returns the probability that a seat wins if both players play perfectly; a draw counts half. */
export function chanceIn({ mode, seat }: MiniGameView): number {
  return solve(payoffsOf({ mode, seat })).value;
}

/** Returns a seat's share of the pot before the house's cut, by its move and the opponent's move, from the lowest. */
export function payoffsOf({ mode, seat, part = 1 / 2 }: MiniGameView): Payoffs {
  const moves = movesOf(mode);
  const draw = seat === 1 ? part : 1 - part;
  return moves.map((own) =>
    moves.map((other) => {
      const ends = chancesOf(mode, seat === 1 ? [own, other] : [other, own]);
      const gets = ends.map(({ winner }) => (winner === 0 ? draw : Number(winner === seat)));
      return gets.reduce((sum, get) => sum + get, 0) / ends.length;
    }),
  );
}

/** Chooses a move from the mode's equilibrium and the opponent's past. */
export async function chooseMove(turn: Turn): Promise<number> {
  return player.choose(await viewOf(turn), cryptoSource);
}

/** Chooses a move, and estimates how likely its seat is to win. */
export async function assessMove(turn: Turn): Promise<Assessment<number>> {
  const view = await viewOf(turn);
  return { move: player.choose(view, cryptoSource), winProbability: chanceIn(view) };
}

/** Returns whether a mode's equilibrium plays all moves equally often in both seats. */
export function isLuck(mode: Mode): boolean {
  return [1, 2].every((seat) => {
    const mix = player.mix({ mode, seat });
    return Math.max(...mix) - Math.min(...mix) < ROUNDING;
  });
}

/** Collects the facts that a player can know before it moves. */
export async function viewOf(turn: Turn): Promise<MiniGameView> {
  const mode = modeOfHash(turn.mode);
  return { mode, seat: Number(turn.seat), part: partOf(turn), past: await pastOf(turn, mode) };
}

/** Finds the opponent's games of the same kind, under either rule for ties. */
async function pastOf(turn: Turn, { kind }: Mode): Promise<PastGame[]> {
  const opponent = opponentOf(turn);
  if (opponent === undefined) return [];
  const rounds = await pastRounds(turn.history, {
    player: opponent,
    game: turn.game,
    modes: Object.values(Ties).map((ties) => keccak256(encodeMode({ kind, ties }))),
    lengths: [MOVE_BYTES, MOVE_BYTES],
    max: MAX_PAST,
  });
  const { min, max } = kinds[kind];
  const isMove = (move: number) => move >= min && move <= max;
  const games = rounds.map(({ played, faced }) => ({ played: toNumber(played), faced: toNumber(faced) }));
  // An index may report moves that do not exist.
  return games.filter(({ played, faced }) => isMove(played) && isMove(faced));
}

/** Returns the first of the moves with the highest payoff against an opponent's mix. */
function bestAgainst(payoffs: Payoffs, mix: readonly number[]): number {
  const gets = payoffs.map((row) => row.reduce((sum, get, other) => sum + get * mix[other], 0));
  return gets.indexOf(Math.max(...gets));
}
