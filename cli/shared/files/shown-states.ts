import {
  checkShownState,
  readShownState,
  type CheckedState,
  type ShownState,
} from "../../../sdk/verify/shown-state.js";
import { locatedMismatchText } from "../../../sdk/chain/mismatch.js";
import { InputError } from "../../../sdk/protocol/input.js";
import { readSmallJson } from "./json.js";
import type { CommandContext } from "../command/context.js";

/** Maximum bytes of a file with a shown state. */
const MAX_BYTES = 10_000;

/** Reads a file in which a player reveals its hidden state of a match. @throws InputError if it is malformed. */
export async function readShownFile(file: string): Promise<ShownState> {
  return readShownState(await readSmallJson(file, MAX_BYTES), file);
}

/**
 * Reads a file in which a player reveals its hidden state of a match, and compares it with the match.
 * @throws InputError for a malformed file, or a file of another match.
 * @throws Error that names the mismatch.
 */
export async function checkShownFile(context: CommandContext, file: string, matchId: bigint): Promise<CheckedState> {
  const shown = await readShownFile(file);
  if (shown.matchId !== matchId) throw new InputError(file, `it is of match ${shown.matchId}, not ${matchId}`);
  return requireHonest(await checkShownState(context.history, context.games, shown, file));
}

/** Returns a state without a mismatch. @throws Error that names the mismatch. */
export function requireHonest(checked: CheckedState): CheckedState {
  if (checked.mismatch) throw new Error(`Mismatch: ${locatedMismatchText(checked.mismatch)}.`);
  return checked;
}
