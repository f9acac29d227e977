import type { Characters } from "../module.js";
import { decodeTeam, statsText, TYPES } from "./match.js";

/** Cards: nothing keeps one from fighting, but its owner must have it. */
export const cards: Characters = {
  noun: "card",
  contract: "GuardianCards",
  idsIn: decodeTeam,
  ownedBy: (player, history) => history.cardsOf(player),
  async describe(id, history) {
    const card = await history.card(id);
    return { data: { id, ...card }, text: `${TYPES[card.type]}  ${statsText(card)}` };
  },
};
