import { STUCK, type Move } from "../legal-moves.js";
import { pickWeighted, QuickSource, type RandomSource } from "../../../bots/source.js";
import { Search } from "./search.js";
import { movesIn, type WarmancerStrategy, type WarmancerView } from "./view.js";

/** Number of evaluations, of all moves together, before the worse half of the moves is dropped. */
const EFFORT = 320;
/** Number of moves at which dropping stops. */
const FEW = 3;
/** Difference in average value from the best move at which a move is about a third as likely to be chosen. */
const TEMPER = 0.15;

/** Move under evaluation, and the sum of its values in all samples so far. */
interface Candidate {
  move: Move;
  sum: number;
}

/**
 * Evaluates the legal moves in sampled worlds: possible ranks, given the player's knowledge, and possible replies. It
 * mixes moves that are nearly as good as the best, so that it is hard to predict.
 * @example
 * ```ts
 * import { cryptoSource, PurposefulWarmancer } from "duello/bots";
 * import { moveText } from "duello/games/warmancer";
 *
 * const move = new PurposefulWarmancer(2_000).choose(boardView, cryptoSource);
 * console.log(moveText(move)); // e.g. "d4-d5"
 * ```
 */
export class PurposefulWarmancer implements WarmancerStrategy {
  /** @param effort Number of evaluations before each selection: more of them make the computer better but slower. */
  constructor(private readonly effort = EFFORT) {}

  choose(view: WarmancerView, source: RandomSource): Move {
    const legal = movesIn(view);
    if (legal.length < 2) return legal[0] ?? STUCK;
    const search = new Search(view, new QuickSource(source));
    let candidates = legal.map((move): Candidate => ({ move, sum: 0 }));
    for (let samples = 0; ;) {
      const series = Math.ceil(this.effort / candidates.length);
      samples += series;
      for (const sample of search.samples(series)) {
        for (const candidate of candidates) candidate.sum += search.worthOf(candidate.move, sample);
      }
      candidates.sort((one, other) => other.sum - one.sum);
      if (candidates.length <= FEW) return mixed(candidates, samples, source);
      candidates = candidates.slice(0, Math.max(FEW, Math.ceil(candidates.length / 2)));
    }
  }
}

/** Picks one of the best moves. */
function mixed(candidates: readonly Candidate[], samples: number, source: RandomSource): Move {
  const best = candidates[0].sum;
  const chances = candidates.map(({ sum }) => Math.exp((sum - best) / samples / TEMPER));
  return candidates[pickWeighted(chances, source)].move;
}
