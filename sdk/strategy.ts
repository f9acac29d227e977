import type { GameModule } from "./games/module.js";
import type { Moves } from "./moves.js";

/**
 * How a program chooses its move: words as a player types them, and as `Moves.suggest` gives them, but of a good move.
 * What it may know is in the turn: the match so far, and all that is public by the turn's history.
 */
export type Strategy = Moves["suggest"];

/** How a program plays a game: as its module says, else with any move that may be played. */
export function strategyOf({ strategy, moves }: GameModule): Strategy {
  return strategy ?? ((turn, keeper) => moves.suggest(turn, keeper));
}
