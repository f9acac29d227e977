import { ZeroHash } from "ethers";
import { InputError } from "../../protocol/input.js";
import type { Turn } from "../moves.js";
import type { Hex } from "../../protocol/hex.js";
import { readIds } from "../token-ids.js";
import { encodeTeam } from "./match.js";
import { decodeMode, defaultMode, type Mode } from "./mode.js";

/** A team from the numbers of its cards, in slot order. */
export async function readTeam(moveArgs: readonly string[], _round: number, turn: Turn): Promise<Hex> {
  const { teamSize } = await modeOf(turn);
  if (moveArgs.length !== teamSize) throw new InputError("team", `${moveArgs.length} cards instead of ${teamSize}`);
  return encodeTeam(readIds(moveArgs, "card"));
}

/** The first cards of a player. */
export async function anyTeam(_round: number, turn: Turn): Promise<string[]> {
  const { teamSize } = await modeOf(turn);
  return (await ownCards(turn)).slice(0, teamSize).map(String);
}

/** The cards of a player. @throws Error if they are no team. */
export async function ownCards(turn: Turn): Promise<bigint[]> {
  const [owned, { teamSize }] = [await turn.history.cardsOf(turn.player), await modeOf(turn)];
  if (owned.length >= teamSize) return owned;
  throw new Error(`${turn.player} has ${owned.length} cards; a team has ${teamSize}.`);
}

/** The mode of a turn. */
export async function modeOf({ mode, history }: Turn): Promise<Mode> {
  if (mode === ZeroHash) return defaultMode;
  return decodeMode(await history.mode(history.addresses.Guardians, mode));
}
