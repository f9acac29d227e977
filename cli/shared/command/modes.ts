import { formatOf, modeHash, modeNamed } from "../../../sdk/games/modes.js";
import type { GameModule } from "../../../sdk/games/module.js";
import { modeBy } from "../../../sdk/player/modes.js";
import type { Hex } from "../../../sdk/protocol/hex.js";
import { InputError } from "../../../sdk/protocol/input.js";
import { didYouMean } from "./did-you-mean.js";
import { readJson } from "../files/json.js";
import type { CommandContext } from "./context.js";

/** A mode that a command names. */
interface NamedMode {
  mode: Hex;
  /** Content of a mode that comes from the caller's own file. */
  own?: Hex;
}

/**
 * Resolves a mode, given its name, its hash, or a JSON file with its fields.
 * @throws InputError for an unknown name, or a file that breaks a rule.
 */
export async function readMode(game: GameModule, text: string, what: string): Promise<NamedMode> {
  if (!text.endsWith(".json") || Object.hasOwn(game.modes, text)) return { mode: modeBy(game, text, what, didYouMean) };
  const own = await contentIn(game, text);
  return { mode: modeHash(own), own };
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

/** Registers a mode that terms will name, unless it is already published or registered. */
export async function registerOwn(context: CommandContext, module: GameModule, game: string, own?: Hex): Promise<void> {
  if (own === undefined || modeNamed(module, modeHash(own)) !== undefined) return;
  await (await context.client()).registerMode(game, own);
}
