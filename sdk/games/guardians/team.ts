import { ZeroHash } from "ethers";
import { InputError } from "../../input.js";
import type { Turn } from "../../moves.js";
import type { Hex } from "../../seal.js";
import { readIds } from "../ids.js";
import { encodeTeam } from "./match.js";
import { decodeMode, defaultMode } from "./mode.js";

/** A team from the numbers of its cards, in slot order. */
export async function readTeam(words: readonly string[], _round: number, turn: Turn): Promise<Hex> {
  const size = await teamSize(turn);
  if (words.length !== size) throw new InputError("team", `${words.length} cards instead of ${size}`);
  return encodeTeam(readIds(words, "card"));
}

/** The first cards of a player. */
export async function anyTeam(_round: number, turn: Turn): Promise<string[]> {
  const [owned, size] = [await turn.history.cardsOf(turn.player), await teamSize(turn)];
  if (owned.length >= size) return owned.slice(0, size).map(String);
  throw new Error(`${turn.player} has ${owned.length} cards; a team has ${size}.`);
}

async function teamSize({ mode, history }: Turn): Promise<number> {
  if (mode === ZeroHash) return defaultMode.teamSize;
  return decodeMode(await history.mode(history.addresses.Guardians, mode)).teamSize;
}
