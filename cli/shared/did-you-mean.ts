import { closest, distance } from "fastest-levenshtein";
import type { GameModule } from "../../sdk/games/module.js";
import type { SecretStore, Turn } from "../../sdk/games/moves.js";
import type { Hex } from "../../sdk/protocol/hex.js";
import { InputError } from "../../sdk/protocol/input.js";

/** Letters of a word that may be mistyped, and their part of it. */
const MAX_MISTYPED = 3;
const MAX_PART = 0.5;

/**
 * Returns the end of an error's sentence that names the word that was probably meant.
 * @returns an empty text if no word is near.
 */
export function didYouMean(typed: string, words: readonly string[]): string {
  // Between numbers every mistake is as near as any other.
  const named = words.filter((word) => /\p{L}/u.test(word));
  if (named.length === 0) return "";
  const word = closest(typed.toLowerCase(), named);
  const mistyped = distance(typed.toLowerCase(), word);
  const isNear = mistyped <= MAX_MISTYPED && mistyped <= MAX_PART * Math.max(typed.length, word.length);
  return isNear ? ` (Did you mean ${word}?)` : "";
}

/**
 * Reads a move from the command line.
 * @throws InputError for arguments that are no move; it names the move that was probably meant.
 */
export async function readMove(
  { moves }: GameModule,
  moveArgs: readonly string[],
  turn: Turn,
  secretStore?: SecretStore,
): Promise<Hex> {
  try {
    return await moves.read(moveArgs, turn, secretStore);
  } catch (error) {
    if (!(error instanceof InputError) || moveArgs.length === 0 || !moves.choices) throw error;
    const choices = await moves.choices(turn, secretStore).catch(() => []);
    const meant = didYouMean(moveArgs.join(" "), choices);
    throw meant === "" ? error : new InputError(error.path, `${error.message.slice(error.path.length + 2)}${meant}`);
  }
}
