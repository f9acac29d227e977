import type { GameModule } from "../../sdk/games/module.js";
import { InputError } from "../../sdk/protocol/input.js";
import { didYouMean } from "./did-you-mean.js";

/** Name of the mode that goes without saying. */
const USUAL = "default";

/**
 * Resolves the name of a game, to its usual mode, or of a mode.
 * @throws InputError if the name is unknown or ambiguous.
 */
export function gameAndMode(name: string, games: readonly GameModule[]): { game: GameModule; mode: string } {
  const game = games.find((each) => each.name === name);
  if (game) return { game, mode: Object.keys(game.modes)[0] };
  const having = games.filter(({ modes }) => Object.hasOwn(modes, name));
  if (having.length === 1) return { game: having[0], mode: name };
  const names = [...games.map((each) => each.name), ...modeNames(games)];
  const why = having.length > 1 ? "several games have such a mode" : "no such game or mode";
  throw new InputError(name, `${why}; there are ${names.join(", ")}${didYouMean(name, names)}`);
}

/** Lists the names of all modes but the usual ones. */
function modeNames(games: readonly GameModule[]): string[] {
  return games.flatMap((each) => Object.keys(each.modes)).filter((mode) => mode !== USUAL);
}
