import { AutoBattler__factory } from "../../../typechain-types/index.js";
import type { Turn } from "../../moves.js";
import type { Hex } from "../../seal.js";
import { readIds } from "../ids.js";
import { encodeTeam, TEAM_SIZE } from "./match.js";

/** A team from the numbers of its fighters, in slot order. */
export function readTeam(words: readonly string[]): Hex {
  return encodeTeam(readIds(words, "fighter"));
}

/** The first five fighters of a player that may fight now. */
export async function restedTeam(_round: number, { player, history }: Turn): Promise<string[]> {
  const { addresses, provider } = history;
  const game = AutoBattler__factory.connect(addresses.AutoBattler, provider);
  const now = BigInt((await provider.getBlock("latest"))!.timestamp);
  const team: string[] = [];
  for (const id of await history.fightersOf(player)) {
    const { matchId, until } = await game.busyUntil(id);
    if (matchId === 0n && until <= now) team.push(String(id));
    if (team.length === TEAM_SIZE) return team;
  }
  throw new Error(`Only ${team.length} fighters of ${player} may fight now; a team has ${TEAM_SIZE}.`);
}
