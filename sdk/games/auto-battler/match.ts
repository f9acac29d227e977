import { concat, toBeHex, toBigInt, ZeroHash } from "ethers";
import { sized } from "../../protocol/bytes.js";
import type { FighterTraits } from "../../chain/characters.js";
import type { History } from "../../chain/history.js";
import { InputError } from "../../protocol/input.js";
import type { MatchRecord, Replayed } from "../../chain/record.js";
import { replayedSingleRound, singleRound } from "../revealed-rounds.js";
import type { Hex } from "../../protocol/hex.js";
import type { Terms } from "../../protocol/terms.js";
import { markOf } from "../../protocol/text.js";
import { battle, type Tiers } from "./engine.js";
import { decodeTurn, turnIds, type Turn, type TurnIds } from "./log.js";
import { decodeMode, defaultMode, type Mode } from "./mode.js";
import type { Paint } from "../module.js";

/** Fighters in a team. */
export const TEAM_SIZE = 5;
const ID_BYTES = 16;
/** Length of a team in bytes. */
export const TEAM_BYTES = TEAM_SIZE * ID_BYTES;
const LENGTHS: [number, number] = [TEAM_BYTES, TEAM_BYTES];
const BAR = 8;
const SLOTS = "①②③④⑤";

const CHARACTERS = ["Asha", "Brom", "Cira", "Dax", "Elke", "Finn", "Gaia", "Hark", "Iris", "Juno", "Kato", "Lyra"];

/** A team as its move: five fighter ids of 16 bytes in slot order. @throws InputError unless they are five ids. */
export function encodeTeam(ids: readonly bigint[]): Hex {
  if (ids.length !== TEAM_SIZE) throw new InputError("team", `${ids.length} fighters instead of ${TEAM_SIZE}`);
  return concat(ids.map((id) => toBeHex(id, ID_BYTES)));
}

/** The fighter ids of a team's move. @throws InputError for another length than 80 bytes. */
export function decodeTeam(move: Hex): bigint[] {
  const bytes = sized(move, "team", TEAM_BYTES);
  return Array.from({ length: TEAM_SIZE }, (_, i) => toBigInt(bytes.subarray(i * ID_BYTES, (i + 1) * ID_BYTES)));
}

/**
 * Re-runs a match from its events: commitments checked, traits from the fighters' mint events, the battle by the
 * engine.
 */
export async function replay(record: MatchRecord, history: History): Promise<Replayed> {
  const fought = await fightOf(record, history);
  return replayedSingleRound(record, LENGTHS, fought && battle(fought.seed, fought.mode, fought.teams.map(tiersOf)));
}

/** The turns of a match as the chain logged them, with the tokens and characters that fought. */
export async function turnsOf(record: MatchRecord, history: History): Promise<(Turn & TurnIds)[]> {
  const fought = await fightOf(record, history);
  if (!fought) return [];
  const ids = fought.teams.map((team) => team.map(({ id, character }) => ({ assetId: id, charId: character })));
  return loggedTurns(record).map((turn) => ({ ...turn, ...turnIds(turn, ids) }));
}

/** The battle of a match as lines of text, one per attack; `paint` may colour what belongs to a player. */
export async function story(record: MatchRecord, history: History, paint: Paint): Promise<string[]> {
  const fought = await fightOf(record, history);
  if (!fought) return [];
  const { mode, teams } = fought;
  const names = teams.map((team, side) => namesOf(team).map((name) => paint(markOf(side + 1) + name, side + 1)));
  const turns = loggedTurns(record);
  const health = teams.map((team) => tiersOf(team).map((tiers) => mode.healthValues[tiers[2] - 1]));
  return [
    ...teams.flatMap((team, side) => [`Team ${side + 1}`, ...team.map((each, slot) => card(names[side][slot], each))]),
    ...turns.flatMap((turn, i) => [
      ...(turn.round === turns[i - 1]?.round ? [] : ["", `Round ${turn.round}`]),
      line(turn, names, health),
    ]),
  ];
}

interface Fight {
  seed: Hex;
  mode: Mode;
  /** By side and slot. */
  teams: (FighterTraits & { id: bigint })[][];
}

/** What a match's battle was fought with; undefined if it never was. */
async function fightOf(record: MatchRecord, history: History): Promise<Fight | undefined> {
  const played = singleRound(record, LENGTHS);
  if (!played) return undefined;
  const { terms } = record;
  const mode = await modeOf(terms, history);
  const fighter = async (id: bigint) => ({ id, ...(await history.fighter(id)) });
  const teams = [played.move1, played.move2].map((move) => Promise.all(decodeTeam(move).map(fighter)));
  return { seed: played.seed, mode, teams: await Promise.all(teams) };
}

/** The mode of a game's terms. */
export async function modeOf({ game, mode }: Pick<Terms, "game" | "mode">, history: History): Promise<Mode> {
  return mode === ZeroHash ? defaultMode : decodeMode(await history.mode(game, mode));
}

function loggedTurns({ logs }: MatchRecord): Turn[] {
  return logs.flatMap(({ entries }) => entries.map(decodeTurn));
}

function tiersOf(team: readonly FighterTraits[]): Tiers[] {
  return team.map(({ tiers }) => tiers);
}

function namesOf(team: readonly FighterTraits[]): string[] {
  // The slot tells apart two of the same character.
  return team.map(
    ({ character }, slot) => (CHARACTERS[Number(character) - 1] ?? `Character ${character}`) + SLOTS[slot],
  );
}

function card(name: string, { tiers, golden }: FighterTraits): string {
  const [attack, defense, health, speed, range, combo] = tiers.map((tier) => "●".repeat(tier).padEnd(3, "○"));
  const stats = `attack ${attack}  defense ${defense}  health ${health}  speed ${speed}  range ${range}  combo ${combo}`;
  return `  ${name}${golden ? " (golden)" : ""}: ${stats}`;
}

function line(turn: Turn, names: string[][], health: number[][]): string {
  const target = 2 - turn.attacker;
  const attacker = names[turn.attacker - 1][turn.attackerSlot];
  const defender = names[target][turn.defenderSlot];
  if (turn.wasDodge) return `  ${attacker} lunges at ${defender}, who dodges`;
  const full = health[target][turn.defenderSlot];
  const filled = Math.ceil((BAR * turn.defenderHpEnd) / full);
  const bar = "█".repeat(filled).padEnd(BAR, "░");
  const how = turn.wasCombo ? "lands a combo on" : "hits";
  const reach = turn.rangePenalty > 0 ? " from too far" : "";
  const end = turn.wasKill ? "and that was the last of it" : `${turn.defenderHpEnd} of ${full} hp left`;
  return `  ${attacker} ${how} ${defender}${reach} for ${turn.damageDealt}  ${bar}  ${end}`;
}
