import { dataSlice, ZeroAddress, ZeroHash } from "ethers";
import type { History } from "../../chain/history.js";
import type { MatchRecord, Replayed, RoundLog } from "../../chain/record.js";
import { RecordError } from "../revealed-rounds.js";
import type { Hex } from "../../protocol/hex.js";
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
  /** Commitment of the turn that is open, with its note. */
  committed?: Hex;
}

/**
 * Finds a mode by its hash.
 * @throws ContractError for a mode that the contract would have refused.
 */
export async function modeBehind(mode: Hex, game: string, history: History): Promise<Mode> {
  return decodeMode(mode === ZeroHash ? "0x" : await history.mode(game, mode));
}

/** Matches that were replayed before, and their events, so that a match that goes on is not begun anew each time. */
const replays = new WeakMap<History, Map<bigint, { events: readonly string[]; past: ReplayedMatch }>>();

/**
 * Replays a match, as `replay` of a module.
 * @throws RecordError for an action that the contract must have refused.
 */
export async function replay(record: MatchRecord, history: History): Promise<Replayed> {
  const { state, logs, turns } = await replayMatch(record, history);
  const { turn, winner } = state;
  return {
    logs,
    result: turn === Seat.None ? { winner, taker: winner } : undefined,
    turns,
    expectedAnswer: { view: "stateHashOf", args: [record.matchId], answer: [stateHashIn(state)] },
  };
}

/**
 * Replays a match.
 * @throws RecordError for an action that the contract must have refused.
 */
export async function replayMatch(record: MatchRecord, history: History): Promise<ReplayedMatch> {
  const { matchId, createData, joinData, actions } = record;
  const known = replays.get(history) ?? new Map<bigint, { events: readonly string[]; past: ReplayedMatch }>();
  replays.set(history, known);
  const last = known.get(matchId);
  const events = [
    record.terms.game,
    record.terms.mode,
    record.player1,
    record.player2 ?? "",
    createData,
    joinData ?? "",
  ];
  events.push(...actions.map(({ seat, data }) => `${seat} ${data}`));
  // A reorganisation may have changed any of them.
  const isSame = last?.past.state.position !== undefined && last.events.every((event, i) => event === events[i]);
  const past = isSame ? last.past : await joined(record, history);
  const head = events.length - actions.length;
  const done = isSame ? last.events.length - head : 0;
  const now = actions
    .slice(done)
    .reduce(
      (so, { seat, data }, i) => take(so, `action ${done + i + 1}`, data, () => act(so.match, so.state, seat, data)),
      past,
    );
  // A settled match is not asked about again.
  if (record.settlement === undefined) known.set(matchId, { events, past: now });
  else known.delete(matchId);
  return now;
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

/** Returns the open commitment of a seat with its note; undefined if it is the other's, or there is none. */
export function ownCommitment({ state, committed }: ReplayedMatch, seat: bigint): Hex | undefined {
  return state.commitment !== NO_STATE && state.position?.mover === Number(seat) ? committed : undefined;
}

/** Throws the refusal of an action as a RecordError, as its event should not be there. */
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
