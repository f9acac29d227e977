import type { CardStats } from "./cards.js";
import type { History } from "../../chain/history.js";
import type { MatchRecord } from "../../chain/record.js";
import type { Hex } from "../../protocol/hex.js";
import { listed, markOf } from "../../protocol/text.js";
import type { Paint } from "../module.js";
import { pairOf, playerOf } from "../../protocol/sides.js";
import { roundTexts } from "../revealed-rounds.js";
import { statsText, TYPES } from "./characters.js";
import type { Turn } from "./log.js";
import { modeOf } from "./mode.js";
import { decodeTeam } from "./moves.js";
import { fightOf, lengthsOf, loggedTurns } from "./replay.js";

/** Width of a health bar in characters. */
const BAR = 8;
/** Texts by `typeRelation`. */
const RELATIONS = ["", " (strong type)", " (weak type)"];

/** A card as described in a story; its hp are those at the start of the battle. */
interface NamedCard extends CardStats {
  name: string;
}

/**
 * Describes the battle of a match as lines of text, one per attack.
 * @param paint Colours the names of a player's cards.
 */
export async function story(record: MatchRecord, history: History, paint: Paint): Promise<string[]> {
  const fight = await fightOf(record, history);
  if (!fight) return [];
  const teams = fight.teams.map((team, side) => {
    const player = playerOf(side);
    return team.map((card): NamedCard => {
      return { ...card, name: paint(nameOf(card, player), player) };
    });
  });
  return [
    ...teams.flatMap((team, side) => [
      `Team ${playerOf(side)}`,
      ...team.map((card) => `  ${card.name}: ${statsText(card)}`),
    ]),
    "",
    ...loggedTurns(record, fight).map((turn) => lineOf(turn, teams)),
  ];
}

/** Names a card by its player's mark, its type and its id. */
export function nameOf({ type, id }: { type: number; id: bigint }, player: number): string {
  return `${markOf(player)}${TYPES[type]} #${id}`;
}

function lineOf(turn: Turn, teams: readonly (readonly NamedCard[])[]): string {
  const { defender } = pairOf(turn, teams);
  const bar = "█".repeat(Math.ceil((BAR * turn.defenderHpEnd) / defender.hp)).padEnd(BAR, "░");
  return `  ${turnText(turn, teams, `  ${bar}  `)}`;
}

/** Describes an attack. @param bar Text before the defender's remaining hp. */
export function turnText(
  turn: Turn,
  teams: readonly (readonly Pick<NamedCard, "name" | "hp">[])[],
  bar: string,
): string {
  const { attacker, defender } = pairOf(turn, teams);
  if (turn.wasDodge) return `${attacker.name} strikes at ${defender.name}, who dodges`;
  const how = turn.wasCritical ? "lands a critical hit on" : "hits";
  const type = RELATIONS[turn.typeRelation];
  const end = turn.wasKill ? "and that was the last of it" : `${turn.defenderHpEnd} of ${defender.hp} hp left`;
  return `${attacker.name} ${how} ${defender.name}${type} for ${turn.damageDealt}${bar}${end}`;
}

/** Describes the actions of a match's players: their teams. */
export async function actionTexts(record: MatchRecord, history: History): Promise<string[]> {
  const lengths = lengthsOf(await modeOf(record.terms, history));
  const textOf = (team: Hex) => {
    const ids = decodeTeam(team);
    return `${ids.length === 1 ? "card" : "cards"} ${listed(ids.map(String))}`;
  };
  return roundTexts(
    record,
    () => lengths,
    () => "a team",
    textOf,
  );
}
