import type { Move } from "../moves.js";
import type { Source } from "../../../bots/source.js";
import { Belief } from "./belief.js";
import { impulse } from "./impulse.js";
import { Outlook } from "./outlook.js";
import type { WarmancerStrategy, WarmancerView } from "./view.js";

/** Decides between moves that gain the same, and no others. */
const NOISE = 1e-6;

/** Takes what seems best at once, by counting: the best attack, or else the step that leads nearest to one. */
export const greedyWarmancer: WarmancerStrategy = {
  choose({ board, side, known }: WarmancerView, source: Source): Move {
    const outlook = new Outlook(board, side, known[side], new Belief(board, 1 - side, known[1 - side]));
    return impulse(board, side, known[side], outlook, { seed: source.below(2 ** 21), noise: NOISE });
  },
};
