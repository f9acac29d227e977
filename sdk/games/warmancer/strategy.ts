import type { Moves } from "../moves.js";
import { cryptoSource, type RandomSource } from "../../bots/source.js";
import { PurposefulWarmancer } from "./bot/purposeful.js";
import { suggestSetup } from "./bot/setup.js";
import type { WarmancerStrategy } from "./bot/view.js";
import { chooserOf, type WarmancerMove } from "./moves.js";

/** Returns a chooser of moves for a strategy, which sees only what its seat knows. */
export function warmancerChooser(
  strategy: WarmancerStrategy = new PurposefulWarmancer(),
  source: RandomSource = cryptoSource,
): Moves<WarmancerMove>["suggest"] {
  return chooserOf({
    setup: (mode, side) => suggestSetup(mode, side, source),
    move: (player, board) => {
      const { mode, side } = player;
      return strategy.choose({ mode, board, side, known: player.sight(board) }, source);
    },
  });
}
