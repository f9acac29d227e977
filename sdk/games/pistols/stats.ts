import { Pistols__factory } from "../../../typechain-types/index.js";
import type { History } from "../../chain/history.js";
import type { OwnStats } from "../module.js";
import { ARCHETYPES } from "./honour.js";

/** Reads the honour and the standing of a player. */
export async function stats(
  player: string,
  { provider }: History,
  blockTag: number,
  address: string,
): Promise<OwnStats> {
  const game = Pistols__factory.connect(address, provider);
  const { record, standing } = await game.duelistOf(player, { blockTag });
  const { honour, level, strength } = standing;
  const archetype = ARCHETYPES[Number(standing.archetype)];
  return {
    data: { duels: record.duels, honour, last: record.last, archetype, level, strength },
    text:
      record.duels === 0n
        ? "no honour yet"
        : `honour ${honour} of 100, ${archetype} of level ${level} and strength ${strength} of 100`,
  };
}
