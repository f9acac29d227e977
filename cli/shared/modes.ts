import { keccak256 } from "ethers";
import { explain } from "../../sdk/player/errors.js";
import { addressOfGame } from "../../sdk/games/list.js";
import { formatOf, modeContent, modeHash, modeNamed } from "../../sdk/games/modes.js";
import { UnregisteredMode } from "../../sdk/chain/history.js";
import type { GameModule } from "../../sdk/games/module.js";
import type { Hex } from "../../sdk/protocol/hex.js";
import { InputError, oneLine } from "../../sdk/protocol/input.js";
import type { Terms } from "../../sdk/protocol/terms.js";
import { readHash } from "../../sdk/protocol/arguments.js";
import { didYouMean } from "./did-you-mean.js";
import { readJson } from "./json.js";
import type { Session } from "./session.js";

/** A mode of a game, with what it says. */
export interface ModeView {
  /** Name; undefined if the mode is not published. */
  name?: string;
  /** Hash by which terms name it. */
  mode: Hex;
  content: Hex;
  /** Fields as the game's page lists them; undefined if the game has only a default mode, or for unreadable content. */
  values?: object;
  /** What the mode says, in lines. */
  rules: string[];
}

/** Returns a mode by its content, which may be anybody's. */
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

/** Reads the mode of a match's terms; undefined if its game is not a stock one, or the mode cannot be found. */
export async function modeInTerms(
  session: Session,
  terms: Pick<Terms, "game" | "mode">,
): Promise<ModeView | undefined> {
  const game = session.findGame(terms.game);
  if (!game) return undefined;
  const content = await modeContent(game, terms, session.history).catch((error: unknown) => {
    if (!(error instanceof UnregisteredMode)) throw error;
    return undefined;
  });
  return content === undefined ? undefined : viewMode(game, content);
}

/** Lists the modes that players have registered with a game besides the published ones, newest first. */
export async function registeredModes({ deployment, history }: Session, game: GameModule): Promise<Hex[]> {
  const events = await history.events(addressOfGame(game, deployment.addresses), "ModeRegistered");
  const contents = events.map(({ args }) => args.content).toReversed();
  return contents.filter((content) => modeNamed(game, keccak256(content)) === undefined);
}

/** A mode that a command names. */
export interface NamedMode {
  mode: Hex;
  /** Content of a mode that comes from the caller's own file. */
  own?: Hex;
}

/**
 * Resolves a mode by its name, its hash, or a JSON file that has its fields.
 * @throws InputError for an unknown name, or a file that breaks a rule.
 */
export async function readMode(game: GameModule, text: string, what: string): Promise<NamedMode> {
  if (Object.hasOwn(game.modes, text)) return { mode: modeHash(game.modes[text].content) };
  if (text.endsWith(".json")) {
    const own = await contentIn(game, text);
    return { mode: modeHash(own), own };
  }
  if (text.startsWith("0x")) return { mode: readHash(text, what) };
  const names = Object.keys(game.modes);
  const known = `there are ${names.join(", ")}, and modes in a .json file${didYouMean(text, names)}`;
  throw new InputError(what, `${game.title} has no mode ${text}; ${known}`);
}

async function contentIn(game: GameModule, file: string): Promise<Hex> {
  const { encode } = formatOf(game);
  const value = await readJson(file);
  try {
    return encode(value);
  } catch (error) {
    throw error instanceof InputError ? new InputError(file, error.message) : error;
  }
}

/** Registers a mode that terms are to name, unless it is published or registered already. */
export async function registerOwn(session: Session, module: GameModule, game: string, own?: Hex): Promise<void> {
  if (own === undefined || modeNamed(module, modeHash(own)) !== undefined) return;
  await (await session.client()).registerMode(game, own);
}
