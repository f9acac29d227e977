import { cardContract, type CardStats } from "./cards.js";
import type { History } from "../../chain/history.js";
import type { MatchRecord, Replayed } from "../../chain/record.js";
import type { Hex } from "../../protocol/hex.js";
import { pairOf } from "../../protocol/sides.js";
import { RecordError, replayedSingleRound, singleRound } from "../revealed-rounds.js";
import { battle } from "./engine.js";
import { decodeTurn, type Turn } from "./log.js";
import { modeOf, type Mode } from "./mode.js";
import { decodeTeam, teamBytes } from "./moves.js";

/** Seed, mode and teams of a match's battle. */
export interface Fight {
  /** Seed of the dice, 32 bytes. */
  seed: Hex;
  mode: Mode;
  /** Cards by side and slot. */
  teams: (CardStats & { id: bigint })[][];
}

/**
 * Replays a match from its events: the commitments are checked, the stats are those of the cards' mint events, and the
 * engine fights the battle.
 * @throws RecordError if the match's commitment, answer and reveal do not fit together.
 */
export async function replay(record: MatchRecord, history: History): Promise<Replayed> {
  const fight = await fightOf(record, history);
  const lengths = lengthsOf(await modeOf(record.terms, history));
  return replayedSingleRound(record, lengths, fight && battle(fight.seed, fight.mode, fight.teams));
}

/**
 * Decodes the log of a match, with the ids of the cards that fought.
 * @throws RecordError for a turn by or on a card that no team has.
 */
export async function decodeLog(record: MatchRecord, history: History): Promise<object[]> {
  const fight = await fightOf(record, history);
  if (!fight) return [];
  return loggedTurns(record, fight).map((turn) => {
    const { attacker, defender } = pairOf(turn, fight.teams);
    return { ...turn, attackerId: attacker.id, defenderId: defender.id };
  });
}

/**
 * Finds the seed, mode and teams of a match's battle; undefined if there was none.
 * @throws RecordError if the match's commitment, answer and reveal do not fit together.
 */
export async function fightOf(record: MatchRecord, history: History): Promise<Fight | undefined> {
  const mode = await modeOf(record.terms, history);
  const played = singleRound(record, lengthsOf(mode));
  if (!played) return undefined;
  const card = async (id: bigint) => ({ id, ...(await history.character(cardContract, id)) });
  const teams = [played.move1, played.move2].map((move) => Promise.all(decodeTeam(move).map(card)));
  return { seed: played.seed, mode, teams: await Promise.all(teams) };
}

/**
 * Decodes the turns of a match that were logged on chain.
 * @throws RecordError for a turn by or on a card that no team has.
 */
export function loggedTurns({ matchId, logs }: MatchRecord, { mode }: Fight): Turn[] {
  const turns = logs.flatMap(({ entries }) => entries.map(decodeTurn));
  const wrong = turns.find(({ attackerSlot, defenderSlot }) => Math.max(attackerSlot, defenderSlot) >= mode.teamSize);
  if (wrong) throw new RecordError(`turn ${wrong.turn} is of a card that no team of ${mode.teamSize} has`, { matchId });
  return turns;
}

/** Returns the lengths of both teams in bytes. */
export function lengthsOf(mode: Mode): [number, number] {
  return [teamBytes(mode), teamBytes(mode)];
}
