import { otherSide } from "../../../protocol/sides.js";
import type { Move } from "../legal-moves.js";
import type { RandomSource } from "../../../bots/source.js";
import { Belief } from "./belief.js";
import { rolloutMove } from "./rollout-policy.js";
import { Heuristic } from "./heuristic.js";
import type { WarmancerStrategy, WarmancerView } from "./view.js";

/** Noise that decides only between moves of equal gain. */
const NOISE = 1e-6;

/** Strategy that maximises the immediate gain: the best attack, otherwise the step that leads nearest to an attack. */
export const greedyWarmancer: WarmancerStrategy = {
  choose({ board, side, known }: WarmancerView, source: RandomSource): Move {
    const heuristic = new Heuristic(
      board,
      side,
      known[side],
      new Belief(board, otherSide(side), known[otherSide(side)]),
    );
    return rolloutMove(board, side, known[side], heuristic, { seed: source.below(2 ** 21), noise: NOISE });
  },
};
