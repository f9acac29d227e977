import { dataSlice, ZeroAddress, ZeroHash } from "ethers";
import type { History } from "../../chain/history.js";
import type { MatchRecord, Replayed, RoundLog } from "../../chain/record.js";
import { RecordError } from "../revealed-rounds.js";
import type { Hex } from "../../protocol/hex.js";
import { NO_STATE } from "../../protocol/commit-reveal.js";
import type { Table } from "../../protocol/away/table.js";
import { InputError } from "../../protocol/input.js";
import { Seat } from "../../protocol/status.js";
import { decodeMode, type Mode } from "./mode.js";
import { act, Unshown } from "./act.js";
import { create, join } from "./create-join.js";
import { actionsOf, playedRecord, virtualRecord } from "../virtual-record.js";
import { stateHashIn, type Match, type Outcome, type State } from "./state.js";
import { awayPlay } from "./table.js";
import { ContractError } from "./contract-error.js";

/** Match so far, replayed from its events. */
export interface ReplayedMatch {
  match: Match;
  /** State; that after joining if nobody has shown it. */
  state: State;
  logs: RoundLog[];
  /** Seat that acts next once player 2 has joined, and after each action; undefined if unknown. */
  turns: (bigint | undefined)[];
  /** Root of each player's setup with its note, by side; empty in casual matches. */
  roots: Hex[];
  /** Commitment of the turn that is open, with its note. */
  committed?: Hex;
  /** Number of actions at the table that led to a state which was accepted, but that nobody has shown. */
  unshown?: number;
}

/**
 * Finds a mode by its hash.
 * @throws ContractError for a mode that the contract would have refused.
 */
export async function modeBehind(mode: Hex, game: string, history: History): Promise<Mode> {
  return decodeMode(mode === ZeroHash ? "0x" : await history.mode(game, mode));
}

/** Replay of a match, and its source. */
interface Replay {
  events: readonly string[];
  past: ReplayedMatch;
}

/** Maximum number of cached replays of a history. */
const REMEMBERED = 200;

/**
 * Cached replays, so that a growing match is not replayed from the start each time. The most recently used one is last.
 */
const replays = new WeakMap<History, Map<string, Replay>>();

/**
 * Replays a match, as `replay` of a module.
 * @throws RecordError for an action that the contract must have refused.
 */
export async function replay(record: MatchRecord, history: History): Promise<Replayed> {
  return replayed(await replayMatch(record, history));
}

/** Replays a match as it was played, as `replay` of a module: with what its transcript shows. */
export async function replayShown(record: MatchRecord, history: History): Promise<Replayed> {
  return replayed((await replayPlayed(record, history)).past);
}

function replayed({ state, logs, turns, unshown }: ReplayedMatch): Replayed {
  const { turn, winner } = state;
  return {
    logs,
    result: turn === Seat.None ? { winner, taker: winner } : undefined,
    turns,
    ...(unshown !== undefined && { unshown: true }),
    position: stateHashIn(state),
  };
}

/**
 * Replays a match. What follows the acceptance of a state is replayed as far as the record's transcript shows what led
 * to that state.
 * @throws RecordError for an action that the contract must have rejected.
 */
export async function replayMatch(record: MatchRecord, history: History): Promise<ReplayedMatch> {
  const { matchId, createData, joinData, actions, isAway = false, transcript } = record;
  const known = replays.get(history) ?? new Map<string, Replay>();
  replays.set(history, known);
  // The actions at a table are replayed beside those on the chain.
  const key = `${matchId} ${isAway}`;
  const last = known.get(key);
  const events = [
    record.terms.game,
    record.terms.mode,
    record.player1,
    record.player2 ?? "",
    createData,
    joinData ?? "",
  ];
  events.push(...actions.map(({ seat, data }) => `${seat} ${data}`));
  // A reorganisation may have changed any of them, and a transcript shows another state.
  const isSame = last !== undefined && transcript === undefined && last.events.every((event, i) => event === events[i]);
  let past = isSame ? last.past : await joined(record, history);
  const head = events.length - actions.length;
  const done = isSame ? last.events.length - head : 0;
  for (const [i, { seat, data }] of actions.slice(done).entries()) {
    const shown = past.state.table && (await tableMatch(past.state.table, record, history));
    past = taken(past, `action ${done + i + 1}`, seat, data, shown);
  }
  // A settled match is not asked about again, and what a transcript shows must not pass for what the chain tells.
  if (record.settlement !== undefined) for (const each of [false, true]) known.delete(`${matchId} ${each}`);
  else if (transcript === undefined && past.state.position !== undefined) {
    known.delete(key);
    known.set(key, { events, past });
    // A table has no settlement, and nobody may ask about its match again.
    if (known.size > REMEMBERED) known.delete(known.keys().next().value!);
  }
  return past;
}

/**
 * Replays a match as it was played, with what its transcript shows of it in place of the actions on its table.
 * @returns The replay, and the record that it was made of: the given one if there is no transcript that fits.
 * @throws RecordError for an action that the contract must have refused.
 */
export async function replayPlayed(
  record: MatchRecord,
  history: History,
): Promise<{ record: MatchRecord; past: ReplayedMatch }> {
  const past = await replayMatch(record, history);
  const played = record.isAway || past.unshown !== undefined ? undefined : playedRecord(record, awayPlay);
  const shown = played && past.match.mode.away ? await shownMatch(played, history) : undefined;
  return shown ? { record: played!, past: shown } : { record, past };
}

/** Finds the match as it stood in the state of a table; undefined if the transcript of the record does not show it. */
async function tableMatch(table: Table, record: MatchRecord, history: History): Promise<ReplayedMatch | undefined> {
  const { transcript = [] } = record;
  if (table.nonce === 0 || transcript.length < table.nonce) return undefined;
  // The cached replay of a match is removed when the match is settled.
  const own = record.settlement ? (Object.create(history) as History) : history;
  const shown = await shownMatch(virtualRecord(record, actionsOf(transcript.slice(0, table.nonce))), own);
  return shown && stateHashIn(shown.state) === table.word && shown.state.turn === table.turn ? shown : undefined;
}

/** Replays what somebody has shown; undefined if it is impossible. */
async function shownMatch(record: MatchRecord, history: History): Promise<ReplayedMatch | undefined> {
  try {
    return await replayMatch(record, history);
  } catch (error) {
    // A shown record may contain anything.
    if (error instanceof RecordError || error instanceof InputError) return undefined;
    throw error;
  }
}

/**
 * Adds an action. Nothing is known once the state is unknown.
 * @param shown The match in the state of the table, if it is known.
 */
function taken(past: ReplayedMatch, what: string, seat: bigint, data: Hex, shown?: ReplayedMatch): ReplayedMatch {
  if (past.unshown !== undefined) return { ...past, turns: [...past.turns, undefined] };
  try {
    return take(past, what, data, () => act(past.match, past.state, seat, data, () => shown?.state), shown);
  } catch (error) {
    if (!(error instanceof Unshown)) throw error;
    return { ...past, turns: [...past.turns, error.turn], unshown: error.table.nonce };
  }
}

/** Replays a match up to joining. */
async function joined(record: MatchRecord, history: History): Promise<ReplayedMatch> {
  const { chainId, matchId, terms, player1, player2, createData, joinData, isAway } = record;
  const mode = await modeBehind(terms.mode, terms.game, history);
  const players = [player1, player2 ?? ZeroAddress] as const;
  const match = { chainId, matchId, game: terms.game, rated: terms.rated, mode, players, isAway };
  const { state, logs } = told(matchId, "its reveal", () => create(match, createData));
  const offered = { match, state, logs, turns: [], roots: mode.casual ? [] : [createData] };
  if (joinData === undefined) return offered;
  const past = take(offered, "its answer", joinData, () => join(match, state, joinData));
  return mode.casual ? past : { ...past, roots: [createData, dataSlice(joinData, 32)] };
}

/**
 * Adds the outcome of data that a player sent.
 * @param shown The match in the state of the table, if it is known.
 */
function take(
  past: ReplayedMatch,
  what: string,
  data: Hex,
  outcome: () => Outcome,
  shown?: ReplayedMatch,
): ReplayedMatch {
  const { state, logs } = told(past.match.matchId, what, outcome);
  // An accepted state may have an open commitment that was made at the table.
  const isAccepted = past.state.table !== undefined && state.table === undefined;
  const before = isAccepted && shown ? shown : past;
  const isNew = state.commitment !== NO_STATE && state.commitment !== before.state.commitment;
  return {
    ...past,
    state,
    logs: [...past.logs, ...logs],
    turns: [...past.turns, state.turn],
    committed: isNew ? commitmentIn(data, state.commitment) : before.committed,
  };
}

/** Returns the open commitment of a seat with its note; undefined if it is the other's, or there is none. */
export function ownCommitment({ state, committed }: ReplayedMatch, seat: bigint): Hex | undefined {
  return state.commitment !== NO_STATE && state.position?.mover === Number(seat) ? committed : undefined;
}

/** Throws the rejection of an action as a RecordError, as its event should not exist. */
function told(matchId: bigint, what: string, outcome: () => Outcome): Outcome {
  try {
    return outcome();
  } catch (error) {
    throw error instanceof ContractError ? new RecordError(error.message, { matchId, place: what }) : error;
  }
}

/** Returns the commitment that an action ends with, and its note. */
function commitmentIn(action: Hex, commitment: Hex): Hex {
  return `0x${action.slice(action.lastIndexOf(commitment.slice(2)))}`;
}
