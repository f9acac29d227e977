import { dataSlice, ZeroAddress, ZeroHash } from "ethers";
import type { History } from "../../chain/history.js";
import type { MatchRecord, Replayed, RoundLog } from "../../chain/record.js";
import { RecordError } from "../revealed-rounds.js";
import type { Hex } from "../../protocol/hex.js";
import type { Place } from "../../protocol/channels/transcript.js";
import { NO_STATE } from "../../protocol/commit-reveal.js";
import { Seat } from "../../protocol/status.js";
import { decodeMode, type Mode } from "./mode.js";
import { act } from "./act.js";
import { create, join } from "./create-join.js";
import { stateHashIn, type Match, type Outcome, type State } from "./state.js";
import { ContractError } from "./contract-error.js";

/** Match so far, replayed from its events. */
export interface ReplayedMatch {
  match: Match;
  state: State;
  logs: RoundLog[];
  /** Seat that acts next once player 2 has joined, and after each action. */
  turns: bigint[];
  /** Root of each player's setup with its note, by side; empty in casual matches. */
  roots: Hex[];
  /** Commitment of the current turn, with its note. */
  committed?: Hex;
}

/**
 * Finds a mode by its hash.
 * @throws ContractError for a mode that the contract would have rejected.
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
 * Cached replays, so that a growing match is not replayed from the start each time. The last one was used most
 * recently.
 */
const replays = new WeakMap<History, Map<string, Replay>>();

/**
 * Replays a match, as a module's `replay` does.
 * @throws RecordError for an action that the contract must have rejected.
 */
export async function replay(record: MatchRecord, history: History): Promise<Replayed> {
  return replayed(await replayMatch(record, history));
}

/** Replays the actions after a position, as `resume` of a game's channels. Each action contains its position. */
export async function resume(
  { chainId, matchId, terms, player1, player2 }: MatchRecord,
  { turn, position: hash }: Pick<Place, "turn" | "position">,
  actions: readonly Hex[],
  history: History,
): Promise<Replayed> {
  const mode = await modeBehind(terms.mode, terms.game, history);
  const { game, rated } = terms;
  const match = { chainId, matchId, game, rated, mode, players: [player1, player2!] as const };
  const state = { turn, winner: Seat.None, round: 0, state: NO_STATE, commitment: NO_STATE, hash };
  let past: ReplayedMatch = { match, state, logs: [], turns: [], roots: [] };
  for (const [i, data] of actions.entries())
    past = take(past, `action ${i + 1}`, data, () => act(match, past.state, past.state.turn, data));
  return replayed(past);
}

function replayed({ state, logs, turns }: ReplayedMatch): Replayed {
  const { turn, winner } = state;
  return {
    logs,
    result: turn === Seat.None ? { winner, taker: winner } : undefined,
    turns,
    position: stateHashIn(state),
  };
}

/**
 * Replays a match.
 * @throws RecordError for an action that the contract must have rejected.
 * @example
 * ```ts
 * import { replayMatch } from "duello/games/warmancer";
 *
 * const { logs, turns } = await replayMatch(await history.match(7n), history);
 * ```
 */
export async function replayMatch(record: MatchRecord, history: History): Promise<ReplayedMatch> {
  const { matchId, createData, joinData, actions } = record;
  const known = replays.get(history) ?? new Map<string, Replay>();
  replays.set(history, known);
  const key = String(matchId);
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
  // A reorganisation may have changed any event.
  const isSame = last !== undefined && last.events.every((event, i) => event === events[i]);
  let past = isSame ? last.past : await joined(record, history);
  const head = events.length - actions.length;
  const done = isSame ? last.events.length - head : 0;
  for (const [i, { seat, data }] of actions.slice(done).entries()) {
    past = take(past, `action ${done + i + 1}`, data, () => act(past.match, past.state, seat, data));
  }
  // Nobody needs a settled match again.
  if (record.settlement !== undefined) known.delete(key);
  else if (past.state.position !== undefined) {
    known.delete(key);
    known.set(key, { events, past });
    // A match in a channel is never settled, and may never be needed again.
    if (known.size > REMEMBERED) known.delete(known.keys().next().value!);
  }
  return past;
}

/** Replays a match up to joining. */
async function joined(record: MatchRecord, history: History): Promise<ReplayedMatch> {
  const { chainId, matchId, terms, player1, player2, createData, joinData } = record;
  const mode = await modeBehind(terms.mode, terms.game, history);
  const players = [player1, player2 ?? ZeroAddress] as const;
  const match = { chainId, matchId, game: terms.game, rated: terms.rated, mode, players };
  const { state, logs } = told(matchId, "its reveal", () => create(match, createData));
  const offered = { match, state, logs, turns: [], roots: mode.casual ? [] : [createData] };
  if (joinData === undefined) return offered;
  const past = take(offered, "its answer", joinData, () => join(match, state, joinData));
  return mode.casual ? past : { ...past, roots: [createData, dataSlice(joinData, 32)] };
}

/** Adds the outcome of data that a player sent. */
function take(past: ReplayedMatch, what: string, data: Hex, outcome: () => Outcome): ReplayedMatch {
  const { state, logs } = told(past.match.matchId, what, outcome);
  const isNew = state.commitment !== NO_STATE && state.commitment !== past.state.commitment;
  return {
    ...past,
    state,
    logs: [...past.logs, ...logs],
    turns: [...past.turns, state.turn],
    committed: isNew ? commitmentIn(data, state.commitment) : past.committed,
  };
}

/** Returns a seat's open commitment with its note; undefined if none is open, or the other seat's is. */
export function ownCommitment({ state, committed }: ReplayedMatch, seat: bigint): Hex | undefined {
  return state.commitment !== NO_STATE && state.position?.mover === Number(seat) ? committed : undefined;
}

/** Rethrows the rejection of an action as a RecordError, since its event should not exist. */
function told(matchId: bigint, what: string, outcome: () => Outcome): Outcome {
  try {
    return outcome();
  } catch (error) {
    throw error instanceof ContractError ? new RecordError(error.message, { matchId, place: what }) : error;
  }
}

/** Returns the commitment at the end of an action, with its note. */
function commitmentIn(action: Hex, commitment: Hex): Hex {
  return `0x${action.slice(action.lastIndexOf(commitment.slice(2)))}`;
}
