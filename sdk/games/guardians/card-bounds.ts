import { integer } from "../../protocol/input.js";

const MAX = 65_535;

/** Readers of all stats of a card but its type, which people name and simulations number. */
export const STATS = {
  power: integer(1, MAX),
  defense: integer(0, MAX),
  hp: integer(1, MAX),
  speed: integer(1, MAX),
  critical: integer(0, 1000),
  luck: integer(0, 1000),
};
