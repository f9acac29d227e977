import { closest, distance } from "fastest-levenshtein";
import type { GameModule } from "../../../sdk/games/module.js";
import type { Moves, SecretStore, Turn } from "../../../sdk/games/moves.js";
import { InputError } from "../../../sdk/protocol/input.js";
import { Seat } from "../../../sdk/protocol/status.js";

const refused = async (): Promise<never> => Promise.reject(new Error("There are no secrets here."));
/** Secret store for turns without a commitment or a reveal. */
const NO_SECRETS: SecretStore = { commit: refused, reveal: refused };

/** Maximum number of mistyped letters in a word, and their maximum share of the word. */
const MAX_MISTYPED = 3;
const MAX_PART = 0.5;

/**
 * Returns the end of an error message, which suggests the word that was probably meant.
 * @returns an empty text if no word is similar.
 */
export function didYouMean(typed: string, words: readonly string[]): string {
  // For numbers there is no nearest word: every typo is equally likely.
  const named = words.filter((word) => /\p{L}/u.test(word));
  if (named.length === 0) return "";
  const word = closest(typed.toLowerCase(), named);
  const mistyped = distance(typed.toLowerCase(), word);
  const isNear = mistyped <= MAX_MISTYPED && mistyped <= MAX_PART * Math.max(typed.length, word.length);
  return isNear ? ` (Did you mean ${word}?)` : "";
}

/**
 * Reads a move from the command line.
 * @throws InputError for arguments that are not a move. The error suggests the move that was probably meant; otherwise
 * it explains moves, with an example.
 */
export async function readMove(
  { moves }: GameModule,
  moveArgs: readonly string[],
  turn: Turn,
  secretStore?: SecretStore,
): Promise<unknown> {
  try {
    return await moves.parse(moveArgs, turn, secretStore);
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    if (moveArgs.length === 0) {
      // In a match in play, the game itself reports more precisely what is missing.
      if (turn.record?.joinData !== undefined) throw error;
      const example = await exampleOf(moves, turn, secretStore);
      throw new InputError("move", `left out: give ${usageOf(moves, turn)}${example}`);
    }
    if (!moves.choices) throw error;
    const choices = await moves.choices(turn, secretStore).catch(() => []);
    const meant = didYouMean(moveArgs.join(" "), choices);
    throw meant === "" ? error : new InputError(error.path, `${error.message.slice(error.path.length + 2)}${meant}`);
  }
}

/** Returns the arguments of a move, as the usage text names them. */
export function usageOf({ usage, later }: Moves, { seat, record }: Turn): string {
  const first = usage[seat === Seat.One ? 0 : 1];
  return record?.joinData === undefined ? first : (later ?? first);
}

/** Returns the end of a sentence that shows a legal move; empty if there is none, e.g. without fighters. */
async function exampleOf(moves: Moves, turn: Turn, secretStore?: SecretStore): Promise<string> {
  const suggested = await moves.suggest(turn, secretStore ?? NO_SECRETS).catch(() => undefined);
  const example = await moves.args(suggested, turn);
  return example.length > 0 ? `, e.g. ${example.join(" ")}` : "";
}
