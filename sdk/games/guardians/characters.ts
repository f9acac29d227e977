import { pick } from "../../bots/source.js";
import { object, oneOf } from "../../protocol/input.js";
import { interfaceOf } from "../../chain/events.js";
import type { Characters } from "../module.js";
import { cardContract, STATS, type CardStats } from "./cards.js";
import { counters, fought } from "./counters.js";
import { moveChecks } from "./move-checks.js";
import { decodeTeam } from "./moves.js";

/** Types of cards in wheel order: each type beats the next one, and the last type beats the first. */
export const TYPES = ["Galactic", "Cosmic", "Celestial", "Mechanical", "Dragon", "Beast", "Elemental", "Chaos"];

const readStats = object({ type: oneOf(...TYPES), ...STATS });

/** Cards. A card can always fight, but only for its owner. */
export const cards: Characters<CardStats> = {
  ...cardContract,
  idsIn: decodeTeam,
  moveChecks,
  ownedBy: (player, history) => history.ownedBy(player, cardContract),
  async describe(id, history) {
    const card = await history.character(cardContract, id);
    return { data: { id, ...card }, text: `${TYPES[card.type]}  ${statsText(card)}` };
  },
  countedBy: "events",
  mainCounters: ["wins", "kills", "deaths"],
  battleCounters: ["kills", "deaths", "damageDealt"],
  counters,
  fought,
  example: { type: "Dragon", power: 500, defense: 250, hp: 1200, speed: 100, critical: 200, luck: 100 },
  atRandom(source) {
    const between = (least: number, most: number, step: number) =>
      least + step * source.below((most - least) / step + 1);
    return {
      type: pick(TYPES, source),
      power: between(300, 700, 10),
      defense: between(150, 350, 10),
      hp: between(900, 1500, 50),
      speed: between(60, 140, 5),
      critical: between(50, 300, 10),
      luck: between(50, 200, 10),
    };
  },
  encodeMint(to, stats, path) {
    const { type, ...rest } = readStats(stats, path);
    return interfaceOf(cardContract.minted).encodeFunctionData("mint", [
      to,
      { ...rest, cardType: TYPES.indexOf(type) },
    ]);
  },
};

/** Describes the stats of a card in words, without its type. */
export function statsText({ power, defense, hp, speed, critical, luck }: CardStats): string {
  const chances = `critical ${critical / 10} %  luck ${luck / 10} %`;
  return `power ${power}  defense ${defense}  hp ${hp}  speed ${speed}  ${chances}`;
}
