import type { CardStats } from "../../sdk/chain/characters.js";

/** Renames the stats of a card as the contracts have them. */
export function chainStats({ type, ...stats }: CardStats) {
  return { ...stats, cardType: type };
}
