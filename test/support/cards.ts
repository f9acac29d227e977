import type { CardStats } from "../../sdk/games/guardians/cards.js";

/** Renames the stats of a card as the contracts have them. */
export function chainStats({ type, ...stats }: CardStats) {
  return { ...stats, cardType: type };
}
