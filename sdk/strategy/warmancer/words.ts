import { wordsBy } from "../../games/warmancer/turns.js";
import type { Strategy } from "../../strategy.js";
import { cryptoSource, type Source } from "../source.js";
import { PurposefulWarmancer } from "./purposeful.js";
import { suggestSetup } from "./setup.js";
import type { WarmancerStrategy } from "./view.js";

/** How a player of Warmancer plays through its module: knowing what its seat knows, and with chance that nobody foresees. */
export function warmancerWords(
  strategy: WarmancerStrategy = new PurposefulWarmancer(),
  source: Source = cryptoSource,
): Strategy {
  return wordsBy({
    setup: (mode, side) => suggestSetup(mode, side, source),
    move: (player, board) => {
      const { mode, side } = player;
      return strategy.choose({ mode, board, side, known: player.sight(board) }, source);
    },
  });
}
