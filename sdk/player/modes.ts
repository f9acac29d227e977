import { keccak256 } from "ethers";
import { UnregisteredMode, type History } from "../chain/history.js";
import { addressOfGame, findGame } from "../games/list.js";
import { modeContent, modeHash, modeNamed } from "../games/modes.js";
import type { GameModule } from "../games/module.js";
import { readHash } from "../protocol/arguments.js";
import type { Hex } from "../protocol/hex.js";
import { InputError, oneLine } from "../protocol/input.js";
import type { Terms } from "../protocol/terms.js";
import { explain } from "./errors.js";

/** A mode of a game, with its description. */
export interface ModeView {
  /** Name; undefined if the mode is not published. */
  name?: string;
  /** Hash that identifies the mode in a match's terms. */
  mode: Hex;
  content: Hex;
  /** Fields as the game's page lists them; undefined for unreadable content, or if the game has only a default mode. */
  values?: object;
  /** Description of the mode, in lines. */
  rules: string[];
}

/** Returns the end of an error about an unknown name, e.g. with the name that was probably meant. */
export type NameHint = (typed: string, names: readonly string[]) => string;

/** Name of a game's usual mode. */
const USUAL = "default";

const noHint: NameHint = () => "";

/**
 * Returns a mode from its content, which may come from anybody.
 * @example
 * ```ts
 * import { stockGame, viewMode } from "duello";
 *
 * const { name, values } = viewMode(stockGame("mini-games"), "0x0301");
 * [name, values]; // => ["coin", { kind: 3, ties: 1 }]
 * ```
 */
export function viewMode(game: GameModule, content: Hex): ModeView {
  const mode = modeHash(content);
  const view = { name: modeNamed(game, mode), mode, content };
  if (!game.modeFormat) return { ...view, rules: [`${game.title} has no mode but its default.`] };
  try {
    return { ...view, values: game.modeFormat.decode(content), rules: game.modeFormat.describe(content) };
  } catch (error) {
    return { ...view, rules: [`This mode cannot be read: ${oneLine(explain(error))}`] };
  }
}

/**
 * Reads the mode of a match's terms.
 * @param games Games that the reader supports.
 * @returns undefined if the game is not among these, or the mode cannot be found.
 * @throws like the history, except UnregisteredMode.
 * @example
 * ```ts
 * import { games, modeInTerms } from "duello";
 *
 * const mode = await modeInTerms({ games, history: archive }, record.terms);
 * mode?.name; // => "default"
 * ```
 */
export async function modeInTerms(
  { games, history }: { games: readonly GameModule[]; history: History },
  terms: Pick<Terms, "game" | "mode">,
): Promise<ModeView | undefined> {
  const game = findGame(terms.game, games, history.addresses);
  if (!game) return undefined;
  const content = await modeContent(game, terms, history).catch((error: unknown) => {
    if (!(error instanceof UnregisteredMode)) throw error;
    return undefined;
  });
  return content === undefined ? undefined : viewMode(game, content);
}

/**
 * Lists the modes that players have registered with a game in addition to the published ones, newest first.
 * @throws InputError if the game is not deployed, and as `History.events` does.
 * @example
 * ```ts
 * import { registeredModes, stockGame, viewMode } from "duello";
 *
 * const contents = await registeredModes(history, stockGame("mini-games"));
 * const modes = contents.map((content) => viewMode(stockGame("mini-games"), content));
 * ```
 */
export async function registeredModes(history: History, game: GameModule): Promise<Hex[]> {
  const events = await history.events(addressOfGame(game, history.addresses), "ModeRegistered");
  const contents = events.map(({ args }) => args.content).toReversed();
  return contents.filter((content) => modeNamed(game, keccak256(content)) === undefined);
}

/**
 * Resolves the name of a mode, or the name of a game, which means the game's usual mode.
 * @throws InputError if the name is unknown or ambiguous.
 * @example
 * ```ts
 * import { gameAndMode, games } from "duello";
 *
 * const { game, mode } = gameAndMode("coin", games);
 * [game.name, mode]; // => ["mini-games", "coin"]
 * gameAndMode("chess", games); // throws InputError: chess: no such game or mode; there are …
 * ```
 */
export function gameAndMode(
  name: string,
  games: readonly GameModule[],
  hint = noHint,
): { game: GameModule; mode: string } {
  const game = games.find((each) => each.name === name);
  if (game) return { game, mode: Object.keys(game.modes)[0] };
  const having = games.filter(({ modes }) => Object.hasOwn(modes, name));
  if (having.length === 1) return { game: having[0], mode: name };
  const names = [...games.map((each) => each.name), ...modeNames(games)];
  const why = having.length > 1 ? "several games have such a mode" : "no such game or mode";
  throw new InputError(name, `${why}${hint(name, names)}; there are ${names.join(", ")}`);
}

/**
 * Resolves a mode of a game, given by name or hash, to its hash.
 * @param what Name of the argument.
 * @throws InputError for an unknown name.
 * @example
 * ```ts
 * import { modeBy, modeHash, stockGame } from "duello";
 *
 * modeBy(stockGame("mini-games"), "coin", "--mode") === modeHash("0x0301"); // => true
 * modeBy(stockGame("mini-games"), "chess", "--mode"); // throws InputError: --mode: Mini-games has no mode chess; …
 * ```
 */
export function modeBy(game: GameModule, text: string, what: string, hint = noHint): Hex {
  if (Object.hasOwn(game.modes, text)) return modeHash(game.modes[text].content);
  if (text.startsWith("0x")) return readHash(text, what);
  const names = Object.keys(game.modes);
  const known = `there are ${names.join(", ")}, and modes in a .json file`;
  throw new InputError(what, `${game.title} has no mode ${text}${hint(text, names)}; ${known}`);
}

/** Lists the names of all modes except the usual ones. */
function modeNames(games: readonly GameModule[]): string[] {
  return games.flatMap((each) => Object.keys(each.modes)).filter((mode) => mode !== USUAL);
}
