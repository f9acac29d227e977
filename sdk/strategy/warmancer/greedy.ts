import { STUCK, tilesOfMove, type Move } from "../../games/warmancer/moves.js";
import { slotAt } from "../../games/warmancer/position.js";
import { pick, type Source } from "../source.js";
import { Belief } from "./belief.js";
import { Outlook } from "./outlook.js";
import { movesIn, type WarmancerStrategy, type WarmancerView } from "./view.js";

/** Takes what seems best at once, by counting: the best attack, or else the step that leads nearest to one. */
export const greedyWarmancer: WarmancerStrategy = {
  choose(view: WarmancerView, source: Source): Move {
    const { board, side, known } = view;
    const legal = movesIn(view);
    if (legal.length === 0) return STUCK;
    const outlook = new Outlook(board, side, new Belief(board, 1 - side, known[1 - side]));
    const gains = legal.map((move) => {
      return outlook.gainOf(move, known[side][slotAt(board.at[tilesOfMove(move)[0]], side)] - 1);
    });
    const best = Math.max(...gains);
    return pick(
      legal.filter((_, i) => gains[i] === best),
      source,
    );
  },
};
