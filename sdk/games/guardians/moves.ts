import { concat, toBeHex, toBigInt, ZeroHash } from "ethers";
import { sized } from "../../protocol/bytes.js";
import type { Hex } from "../../protocol/hex.js";
import { InputError } from "../../protocol/input.js";
import { checkedTeam, readIds } from "../token-ids.js";
import type { CommittedMoves } from "../commit-reveal.js";
import type { Team } from "../module.js";
import type { Turn } from "../moves.js";
import { defaultMode, MAX_TEAM, modeOf, type Mode } from "./mode.js";
import { cardContract } from "./cards.js";

const ID_BYTES = 16;

/** Rules of the only round of a match, in which each player chooses a team. */
export const teamRound: CommittedMoves<Team> = {
  usage: ["CARD CARD CARD", "CARD CARD CARD"],
  rounds: 1,
  lengths: () => [teamBytes(defaultMode), teamBytes(defaultMode)],
  parse: (moveArgs) => readIds(moveArgs, "card"),
  check: async (team: Team, _round, turn) => checkedTeam(team, "card", (await modeIn(turn)).teamSize),
  args: (team) => team.map(String),
  encode: encodeTeam,
  suggest: async (_round, turn) => (await ownCards(turn)).slice(0, (await modeIn(turn)).teamSize),
  choices: async (_round, turn) => (await ownCards(turn)).map(String),
};

/** Returns the length of a team in bytes. */
export function teamBytes({ teamSize }: Pick<Mode, "teamSize">): number {
  return teamSize * ID_BYTES;
}

/**
 * Encodes a team: one to five card ids of 16 bytes in slot order.
 * @throws InputError for another number of ids.
 */
export function encodeTeam(ids: readonly bigint[]): Hex {
  checkSize(ids.length);
  return concat(ids.map((id) => toBeHex(id, ID_BYTES)));
}

/**
 * Decodes a team into its card ids.
 * @throws InputError for bytes that are not one to five ids.
 * @example
 * ```ts
 * import { decodeTeam } from "duello/games/guardians";
 *
 * decodeTeam(`0x${"00000000000000000000000000000007".repeat(3)}`); // => [7n, 7n, 7n]
 * ```
 */
export function decodeTeam(move: Hex): bigint[] {
  const bytes = sized(move, "team", 0, Infinity);
  const size = bytes.length / ID_BYTES;
  if (!Number.isInteger(size)) throw new InputError("team", `${bytes.length} bytes are no whole ids`);
  checkSize(size);
  return Array.from({ length: size }, (_, slot) => toBigInt(bytes.subarray(slot * ID_BYTES, (slot + 1) * ID_BYTES)));
}

/**
 * Lists the ids of a player's cards.
 * @throws Error if they are too few for a team.
 */
export async function ownCards(turn: Turn): Promise<bigint[]> {
  const [owned, { teamSize }] = [await turn.history.ownedBy(turn.player, cardContract), await modeIn(turn)];
  if (owned.length >= teamSize) return owned;
  throw new Error(`${turn.player} has ${owned.length} cards; a team has ${teamSize}.`);
}

/** Finds the mode of a turn. */
export async function modeIn({ game, mode, history }: Turn): Promise<Mode> {
  return mode === ZeroHash ? defaultMode : modeOf({ game, mode }, history);
}

function checkSize(size: number): void {
  if (size < 1 || size > MAX_TEAM) throw new InputError("team", `${size} cards instead of 1 to ${MAX_TEAM}`);
}
