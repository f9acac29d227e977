import { TEAM_SIZE, type AutoBattlerFrame } from "duello/games/auto-battler";
import type { Place } from "../teams/fight.ts";

/** Lists the places in the order in which they act: slot by slot, whose side has attacked first before the other. */
export function orderOf(frames: readonly Pick<AutoBattlerFrame, "attack">[]): Place[] {
  const first = frames.find(({ attack }) => attack)?.attack?.attacker.player ?? 1;
  return Array.from({ length: 2 * TEAM_SIZE }, (_, i) => ({
    player: i % 2 === 0 ? first : 3 - first,
    slot: Math.floor(i / 2),
  }));
}
