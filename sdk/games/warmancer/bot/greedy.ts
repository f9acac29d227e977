import type { Move } from "../legal-moves.js";
import type { Source } from "../../../bots/source.js";
import { Belief } from "./belief.js";
import { rolloutMove } from "./rollout-policy.js";
import { Heuristic } from "./heuristic.js";
import type { WarmancerStrategy, WarmancerView } from "./view.js";

/** Decides between moves that gain the same, and no others. */
const NOISE = 1e-6;

/** Takes what seems best at once, by counting: the best attack, or else the step that leads nearest to one. */
export const greedyWarmancer: WarmancerStrategy = {
  choose({ board, side, known }: WarmancerView, source: Source): Move {
    const heuristic = new Heuristic(board, side, known[side], new Belief(board, 1 - side, known[1 - side]));
    return rolloutMove(board, side, known[side], heuristic, { seed: source.below(2 ** 21), noise: NOISE });
  },
};
