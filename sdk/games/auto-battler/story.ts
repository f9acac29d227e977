import type { FighterTraits } from "./fighters.js";
import type { History } from "../../chain/history.js";
import type { MatchRecord } from "../../chain/record.js";
import { listed, markOf } from "../../protocol/text.js";
import type { Paint } from "../module.js";
import { pairOf, playerOf } from "../../protocol/sides.js";
import { roundTexts } from "../revealed-rounds.js";
import type { Turn } from "./log.js";
import { decodeTeam, teamRound } from "./moves.js";
import { fightOf, loggedTurns } from "./replay.js";

/** Width of a health bar in characters. */
const BAR = 8;
const SLOTS = "①②③④⑤";
/** Names of the characters, from 1. */
export const CHARACTERS: readonly string[] = [
  "Asha",
  "Brom",
  "Cira",
  "Dax",
  "Elke",
  "Finn",
  "Gaia",
  "Hark",
  "Iris",
  "Juno",
  "Kato",
  "Lyra",
];

/** A fighter as the text of an attack names it. */
interface NamedFighter {
  readonly name: string;
  /** Hp at the start of the battle. */
  readonly health: number;
}

/** A fighter as described in a story. */
type Fighter = FighterTraits & NamedFighter;

/**
 * Describes the battle of a match as lines of text, one per attack.
 * @param paint Colours the names of a player's fighters.
 */
export async function story(record: MatchRecord, history: History, paint: Paint): Promise<string[]> {
  const fight = await fightOf(record, history);
  if (!fight) return [];
  const teams = fight.teams.map((team, side) =>
    team.map((traits, slot): Fighter => {
      const player = playerOf(side);
      const health = fight.mode.healthValues[traits.tiers[2] - 1];
      return { ...traits, name: paint(markOf(player) + nameOf(traits, slot), player), health };
    }),
  );
  const turns = loggedTurns(record);
  return [
    ...teams.flatMap((team, side) => [`Team ${playerOf(side)}`, ...team.map(cardOf)]),
    ...turns.flatMap((turn, i) => [
      ...(turn.round === turns[i - 1]?.round ? [] : ["", `Round ${turn.round}`]),
      lineOf(turn, teams),
    ]),
  ];
}

/** Names a fighter by its character and its slot, since two fighters may show the same character. */
export function nameOf({ character }: FighterTraits, slot: number): string {
  return characterName(character) + SLOTS[slot];
}

/** Returns the name of a character. */
export function characterName(character: bigint): string {
  return CHARACTERS[Number(character) - 1] ?? `Character ${character}`;
}

function cardOf({ name, tiers, golden }: Fighter): string {
  const [attack, defense, health, speed, range, combo] = tiers.map((tier) => "●".repeat(tier).padEnd(3, "○"));
  const stats = `attack ${attack}  defense ${defense}  health ${health}  speed ${speed}  range ${range}  combo ${combo}`;
  return `  ${name}${golden ? " (golden)" : ""}: ${stats}`;
}

function lineOf(turn: Turn, teams: readonly (readonly Fighter[])[]): string {
  const { defender } = pairOf(turn, teams);
  const filled = Math.ceil((BAR * turn.defenderHpEnd) / defender.health);
  return `  ${turnText(turn, teams, `  ${"█".repeat(filled).padEnd(BAR, "░")}  `)}`;
}

/** Describes an attack. @param bar Text before the defender's remaining hp. */
export function turnText(turn: Turn, teams: readonly (readonly NamedFighter[])[], bar: string): string {
  const { attacker, defender } = pairOf(turn, teams);
  if (turn.wasDodge) return `${attacker.name} lunges at ${defender.name}, who dodges`;
  const how = turn.wasCombo ? "lands a combo on" : "hits";
  const reach = turn.rangePenalty > 0 ? " from too far" : "";
  const end = turn.wasKill ? "and that was the last of it" : `${turn.defenderHpEnd} of ${defender.health} hp left`;
  return `${attacker.name} ${how} ${defender.name}${reach} for ${turn.damageDealt}${bar}${end}`;
}

/** Describes the actions of a match's players: their teams. */
export async function actionTexts(record: MatchRecord): Promise<string[]> {
  return roundTexts(
    record,
    teamRound.lengths,
    () => "a team",
    (team) => `fighters ${listed(decodeTeam(team).map(String))}`,
  );
}
