import type { FightFrame, Place } from "../teams/fight.ts";

/** Lists the places in the order in which they act: slot by slot, and in each slot the side that attacked first. */
export function orderOf(frames: readonly FightFrame[]): Place[] {
  const first = frames.find(({ attack }) => attack)?.attack?.attacker.player ?? 1;
  return frames[0].hp[0].flatMap((_, slot) => [first, 3 - first].map((player) => ({ player, slot })));
}
