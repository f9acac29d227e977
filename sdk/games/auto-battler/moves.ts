import { concat, toBeHex, toBigInt } from "ethers";
import { AutoBattler__factory } from "../../../typechain-types/index.js";
import { nextTime } from "../../chain/time.js";
import { sized } from "../../protocol/bytes.js";
import type { Hex } from "../../protocol/hex.js";
import { timeText } from "../../protocol/text.js";
import { checkedTeam, readIds } from "../token-ids.js";
import type { CommittedMoves } from "../commit-reveal.js";
import type { Team } from "../module.js";
import type { Turn } from "../moves.js";
import { TEAM_SIZE } from "./engine.js";
import { fighterContract } from "./fighters.js";

const ID_BYTES = 16;
/** Length of a team in bytes. */
export const TEAM_BYTES = TEAM_SIZE * ID_BYTES;

const USAGE = "FIGHTER FIGHTER FIGHTER FIGHTER FIGHTER";
/** Number of fighters whose state is requested at once. */
const AT_ONCE = 20;

/** Rules of the only round of a match, in which each player chooses a team. */
export const teamRound: CommittedMoves<Team> = {
  usage: [USAGE, USAGE],
  rounds: 1,
  lengths: () => [TEAM_BYTES, TEAM_BYTES],
  parse: (moveArgs) => readIds(moveArgs, "fighter"),
  check: (team: Team) => checkedTeam(team, "fighter", TEAM_SIZE),
  args: (team) => team.map(String),
  encode: encodeTeam,
  suggest: async (_round, turn) => restedFighters(turn, await ownFighters(turn), TEAM_SIZE),
  choices: async (_round, turn) => (await restedFighters(turn, await ownFighters(turn), Infinity)).map(String),
};

/** Encodes a team: fighter ids of 16 bytes in slot order. */
export function encodeTeam(ids: Team): Hex {
  return concat(ids.map((id) => toBeHex(id, ID_BYTES)));
}

/**
 * Decodes a team into its fighter ids.
 * @throws InputError unless the length is 80 bytes.
 * @example
 * ```ts
 * import { decodeTeam } from "duello/games/auto-battler";
 *
 * decodeTeam(`0x${"00000000000000000000000000000007".repeat(5)}`); // => [7n, 7n, 7n, 7n, 7n]
 * ```
 */
export function decodeTeam(move: Hex): bigint[] {
  const bytes = sized(move, "team", TEAM_BYTES);
  return Array.from({ length: TEAM_SIZE }, (_, slot) =>
    toBigInt(bytes.subarray(slot * ID_BYTES, (slot + 1) * ID_BYTES)),
  );
}

/**
 * Returns why a fighter cannot fight now; undefined if it can.
 * @param now Time in seconds since 1970.
 */
export function obstacleOf({ matchId, until }: { matchId: bigint; until: bigint }, now: bigint): string | undefined {
  if (matchId !== 0n) return `in match ${matchId}`;
  return until > now ? `cools down until ${timeText(until)}` : undefined;
}

/**
 * Finds the first fighters of a player that may fight now.
 * @param owned Ids of the player's fighters, preferred fighters first.
 * @param max Maximum number of fighters.
 * @throws Error if there are fewer than five.
 */
export async function restedFighters(
  { player, game: address, history: { provider } }: Turn,
  owned: readonly bigint[],
  max: number,
): Promise<bigint[]> {
  const game = AutoBattler__factory.connect(address, provider);
  const now = BigInt(await nextTime(provider));
  const rested: bigint[] = [];
  for (let i = 0; i < owned.length && rested.length < max; i += AT_ONCE) {
    const some = owned.slice(i, i + AT_ONCE);
    const busy = await Promise.all(some.map((id) => game.busyUntil(id)));
    rested.push(...some.filter((_, k) => obstacleOf(busy[k], now) === undefined));
  }
  if (rested.length >= TEAM_SIZE) return rested.slice(0, max);
  throw new Error(`Only ${rested.length} fighters of ${player} may fight now; a team has ${TEAM_SIZE}.`);
}

function ownFighters({ player, history }: Turn): Promise<bigint[]> {
  return history.ownedBy(player, fighterContract);
}
