import { AutoBattler__factory } from "../../../typechain-types/index.js";
import type { Turn } from "../moves.js";
import type { Hex } from "../../protocol/hex.js";
import { nextTime } from "../../chain/time.js";
import { readIds } from "../token-ids.js";
import { encodeTeam, TEAM_SIZE } from "./match.js";

/** Fighters that are asked for at once. */
const AT_ONCE = 20;

/** A team from the numbers of its fighters, in slot order. */
export function readTeam(moveArgs: readonly string[]): Hex {
  return encodeTeam(readIds(moveArgs, "fighter"));
}

/** The first five fighters of a player that may fight now. */
export async function restedTeam(_round: number, turn: Turn): Promise<string[]> {
  return (await restedFighters(turn, await turn.history.fightersOf(turn.player), TEAM_SIZE)).map(String);
}

/** The first of a player's fighters that may fight now, at most so many. @throws Error if they are no team. */
export async function restedFighters(
  { player, history }: Turn,
  owned: readonly bigint[],
  max: number,
): Promise<bigint[]> {
  const { addresses, provider } = history;
  const game = AutoBattler__factory.connect(addresses.AutoBattler, provider);
  const now = BigInt(await nextTime(provider));
  const rested: bigint[] = [];
  for (let i = 0; i < owned.length && rested.length < max; i += AT_ONCE) {
    const some = owned.slice(i, i + AT_ONCE);
    const busy = await Promise.all(some.map((id) => game.busyUntil(id)));
    rested.push(...some.filter((_, k) => busy[k].matchId === 0n && busy[k].until <= now));
  }
  if (rested.length >= TEAM_SIZE) return rested.slice(0, max);
  throw new Error(`Only ${rested.length} fighters of ${player} may fight now; a team has ${TEAM_SIZE}.`);
}
