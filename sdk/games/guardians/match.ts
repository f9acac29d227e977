import { concat, toBeHex, toBigInt, ZeroHash } from "ethers";
import { sized } from "../../protocol/bytes.js";
import type { CardStats } from "../../chain/characters.js";
import type { History } from "../../chain/history.js";
import { InputError } from "../../protocol/input.js";
import type { MatchRecord, Replayed } from "../../chain/record.js";
import { RecordError, replayedSingleRound, singleRound } from "../revealed-rounds.js";
import type { Hex } from "../../protocol/hex.js";
import { markOf } from "../../protocol/text.js";
import type { Paint } from "../module.js";
import { battle } from "./engine.js";
import { decodeTurn, type Turn } from "./log.js";
import { decodeMode, defaultMode, type Mode } from "./mode.js";

const MAX_TEAM = 5;
/** Length of a card's number in a team, in bytes. */
export const ID_BYTES = 16;
const BAR = 8;

/** The types in wheel order; each beats the next, the last the first. */
export const TYPES = ["Galactic", "Cosmic", "Celestial", "Mechanical", "Dragon", "Beast", "Elemental", "Chaos"];

/** A team as its move: one to five card ids of 16 bytes in slot order. @throws InputError for another number of ids. */
export function encodeTeam(ids: readonly bigint[]): Hex {
  checkSize(ids.length);
  return concat(ids.map((id) => toBeHex(id, ID_BYTES)));
}

/** The card ids of a team's move. @throws InputError for bytes that are not one to five ids. */
export function decodeTeam(move: Hex): bigint[] {
  const bytes = sized(move, "team", 0, Infinity);
  const size = bytes.length / ID_BYTES;
  if (!Number.isInteger(size)) throw new InputError("team", `${bytes.length} bytes are no whole ids`);
  checkSize(size);
  return Array.from({ length: size }, (_, i) => toBigInt(bytes.subarray(i * ID_BYTES, (i + 1) * ID_BYTES)));
}

/** The stats of a card in words, but for its type. */
export function statsText({ power, defense, hp, speed, critical, luck }: CardStats): string {
  const chances = `critical ${critical / 10} %  luck ${luck / 10} %`;
  return `power ${power}  defense ${defense}  hp ${hp}  speed ${speed}  ${chances}`;
}

/**
 * Re-runs a match from its events: commitments checked, stats from the cards' mint events, the battle by the engine.
 */
export async function replay(record: MatchRecord, history: History): Promise<Replayed> {
  const fought = await fightOf(record, history);
  const lengths = lengthsOf(await modeOf(record, history));
  return replayedSingleRound(record, lengths, fought && battle(fought.seed, fought.mode, fought.teams));
}

/** The turns of a match as the chain logged them, with the ids of the cards that fought. */
export async function turnsOf(record: MatchRecord, history: History): Promise<object[]> {
  const fought = await fightOf(record, history);
  if (!fought) return [];
  return loggedTurns(record, fought).map((turn) => ({
    ...turn,
    attackerId: fought.teams[turn.attacker - 1][turn.attackerSlot].id,
    defenderId: fought.teams[2 - turn.attacker][turn.defenderSlot].id,
  }));
}

/** The battle of a match as lines of text, one per attack; `paint` may colour what belongs to a player. */
export async function story(record: MatchRecord, history: History, paint: Paint): Promise<string[]> {
  const fought = await fightOf(record, history);
  if (!fought) return [];
  const names = fought.teams.map((team, side) =>
    team.map(({ id, type }) => paint(`${markOf(side + 1)}${TYPES[type]} #${id}`, side + 1)),
  );
  return [
    ...fought.teams.flatMap((team, side) => [
      `Team ${side + 1}`,
      ...team.map((card, slot) => `  ${names[side][slot]}: ${statsText(card)}`),
    ]),
    "",
    ...loggedTurns(record, fought).map((turn) => line(turn, names, fought.teams)),
  ];
}

interface Fight {
  seed: Hex;
  mode: Mode;
  /** By side and slot. */
  teams: (CardStats & { id: bigint })[][];
}

/** What a match's battle was fought with; undefined if it never was. */
async function fightOf(record: MatchRecord, history: History): Promise<Fight | undefined> {
  const mode = await modeOf(record, history);
  const played = singleRound(record, lengthsOf(mode));
  if (!played) return undefined;
  const card = async (id: bigint) => ({ id, ...(await history.card(id)) });
  const teams = [played.move1, played.move2].map((move) => Promise.all(decodeTeam(move).map(card)));
  return { seed: played.seed, mode, teams: await Promise.all(teams) };
}

async function modeOf({ terms }: MatchRecord, history: History): Promise<Mode> {
  return terms.mode === ZeroHash ? defaultMode : decodeMode(await history.mode(terms.game, terms.mode));
}

function lengthsOf({ teamSize }: Mode): [number, number] {
  return [teamSize * ID_BYTES, teamSize * ID_BYTES];
}

/** The turns of a log. @throws RecordError for one by or on a card that no team has. */
function loggedTurns({ matchId, logs }: MatchRecord, { mode }: Fight): Turn[] {
  const turns = logs.flatMap(({ entries }) => entries.map(decodeTurn));
  const wrong = turns.find(({ attackerSlot, defenderSlot }) => Math.max(attackerSlot, defenderSlot) >= mode.teamSize);
  if (wrong) throw new RecordError(`turn ${wrong.turn} is of a card that no team of ${mode.teamSize} has`, { matchId });
  return turns;
}

function checkSize(size: number): void {
  if (size < 1 || size > MAX_TEAM) throw new InputError("team", `${size} cards instead of 1 to ${MAX_TEAM}`);
}

function line(turn: Turn, names: string[][], teams: Fight["teams"]): string {
  const target = 2 - turn.attacker;
  const attacker = names[turn.attacker - 1][turn.attackerSlot];
  const defender = names[target][turn.defenderSlot];
  if (turn.wasDodge) return `  ${attacker} strikes at ${defender}, who dodges`;
  const full = teams[target][turn.defenderSlot].hp;
  const bar = "█".repeat(Math.ceil((BAR * turn.defenderHpEnd) / full)).padEnd(BAR, "░");
  const how = turn.wasCritical ? "lands a critical hit on" : "hits";
  const type = ["", " (strong type)", " (weak type)"][turn.typeRelation];
  const end = turn.wasKill ? "and that was the last of it" : `${turn.defenderHpEnd} of ${full} hp left`;
  return `  ${attacker} ${how} ${defender}${type} for ${turn.damageDealt}  ${bar}  ${end}`;
}
