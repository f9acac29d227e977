import type { CardStats } from "../../sdk/games/guardians/cards.js";

/** Renames the stats of a card to the names of the contracts. */
export function chainStats({ type, ...stats }: CardStats) {
  return { ...stats, cardType: type };
}
