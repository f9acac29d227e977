import { fighterContract, type FighterTraits } from "./fighters.js";
import type { History } from "../../chain/history.js";
import type { MatchRecord, Replayed } from "../../chain/record.js";
import type { Hex } from "../../protocol/hex.js";
import { replayedSingleRound, singleRound } from "../revealed-rounds.js";
import { battle } from "./engine.js";
import { decodeTurn, idsOfTurn, type Turn, type TurnIds } from "./log.js";
import { modeOf, type Mode } from "./mode.js";
import { decodeTeam, TEAM_BYTES } from "./moves.js";

const LENGTHS: [number, number] = [TEAM_BYTES, TEAM_BYTES];

/** Seed, mode and teams of a match's battle. */
export interface Fight {
  /** Seed of the dice, 32 bytes. */
  seed: Hex;
  mode: Mode;
  /** Fighters by side and slot. */
  teams: (FighterTraits & { id: bigint })[][];
}

/**
 * Replays a match from its events: the commitments are checked, the traits are those of the fighters' mint events, and
 * the engine fights the battle.
 * @throws RecordError if the match's commitment, answer and reveal do not fit together.
 */
export async function replay(record: MatchRecord, history: History): Promise<Replayed> {
  const fight = await fightOf(record, history);
  if (!fight) return replayedSingleRound(record, LENGTHS);
  const tiers = fight.teams.map((team) => team.map((fighter) => fighter.tiers));
  return replayedSingleRound(record, LENGTHS, battle(fight.seed, fight.mode, tiers));
}

/** Decodes the log of a match, with the tokens and characters that fought. */
export async function decodeLog(record: MatchRecord, history: History): Promise<(Turn & TurnIds)[]> {
  const fight = await fightOf(record, history);
  if (!fight) return [];
  const ids = fight.teams.map((team) => team.map(({ id, character }) => ({ assetId: id, charId: character })));
  return loggedTurns(record).map((turn) => ({ ...turn, ...idsOfTurn(turn, ids) }));
}

/**
 * Finds the seed, mode and teams of a match's battle; undefined if there was none.
 * @throws RecordError if the match's commitment, answer and reveal do not fit together.
 */
export async function fightOf(record: MatchRecord, history: History): Promise<Fight | undefined> {
  const played = singleRound(record, LENGTHS);
  if (!played) return undefined;
  const mode = await modeOf(record.terms, history);
  const fighter = async (id: bigint) => ({ id, ...(await history.character(fighterContract, id)) });
  const teams = [played.move1, played.move2].map((move) => Promise.all(decodeTeam(move).map(fighter)));
  return { seed: played.seed, mode, teams: await Promise.all(teams) };
}

/** Decodes the turns of a match that were logged on chain. */
export function loggedTurns({ logs }: MatchRecord): Turn[] {
  return logs.flatMap(({ entries }) => entries.map(decodeTurn));
}
