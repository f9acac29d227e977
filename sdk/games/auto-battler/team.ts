import { AutoBattler__factory } from "../../../typechain-types/index.js";
import { InputError } from "../../input.js";
import type { Turn } from "../../moves.js";
import type { Hex } from "../../seal.js";
import { encodeTeam, TEAM_SIZE } from "./match.js";

/** A team from the numbers of its fighters, in slot order. */
export function readTeam(words: readonly string[]): Hex {
  const ids = words.map((word) => {
    if (!/^\d{1,38}$/.test(word)) throw new InputError("team", `${word} is not a fighter's number`);
    return BigInt(word);
  });
  const twice = ids.find((id, i) => ids.indexOf(id) < i);
  if (twice !== undefined) throw new InputError("team", `fighter ${twice} is in it twice`);
  return encodeTeam(ids);
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
