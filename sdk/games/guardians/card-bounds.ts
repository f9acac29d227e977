import { CARD_BOUNDS } from "../../chain/minted.js";
import { integer } from "../../protocol/input.js";

/** Readers of all stats of a card but its type, which people name and simulations number. */
export const STATS = {
  power: integer(...CARD_BOUNDS.power),
  defense: integer(...CARD_BOUNDS.defense),
  hp: integer(...CARD_BOUNDS.hp),
  speed: integer(...CARD_BOUNDS.speed),
  critical: integer(...CARD_BOUNDS.critical),
  luck: integer(...CARD_BOUNDS.luck),
};
