import { dataSlice, ZeroAddress, ZeroHash } from "ethers";
import type { History } from "../../chain/history.js";
import type { MatchRecord, RoundLog } from "../../chain/record.js";
import { Mismatch } from "../rounds.js";
import type { Hex } from "../../protocol/hex.js";
import { NO_STATE } from "../../protocol/seal.js";
import { decodeMode, type Mode } from "./mode.js";
import { act, create, join, type Match, type Outcome, type State } from "./protocol.js";
import { Refusal } from "./refusal.js";

/** A match so far, played again from its events. */
export interface Past {
  match: Match;
  state: State;
  logs: RoundLog[];
  /** Whose turn it was once player 2 had joined, and after each action. */
  turns: bigint[];
  /** What each player sealed its setup with, by side: the root, and the note behind it; empty in casual matches. */
  roots: Hex[];
  /** The seal of the turn that is open, with the note behind it. */
  sealed?: Hex;
}

/** A mode by its hash. */
export async function modeBehind(mode: Hex, game: string, history: History): Promise<Mode> {
  return decodeMode(mode === ZeroHash ? "0x" : await history.mode(game, mode));
}

/** What was played again before, and of which events, so that a match that goes on is not begun anew each time. */
const retraced = new WeakMap<History, Map<bigint, { events: readonly string[]; past: Past }>>();

/** Plays a match again. @throws Mismatch for an action that the contract must have refused. */
export async function retrace(record: MatchRecord, history: History): Promise<Past> {
  const { matchId, opening, answer, actions } = record;
  const known = retraced.get(history) ?? new Map<bigint, { events: readonly string[]; past: Past }>();
  retraced.set(history, known);
  const last = known.get(matchId);
  const events = [record.terms.game, record.terms.mode, record.player1, record.player2 ?? "", opening, answer ?? ""];
  events.push(...actions.map(({ seat, action }) => `${seat} ${action}`));
  // A reorganisation may have changed any of them.
  const isSame = last?.past.state.position !== undefined && last.events.every((event, i) => event === events[i]);
  const past = isSame ? last.past : await joined(record, history);
  const head = events.length - actions.length;
  const done = isSame ? last.events.length - head : 0;
  const now = actions
    .slice(done)
    .reduce(
      (so, { seat, action }, i) =>
        take(so, `action ${done + i + 1}`, action, () => act(so.match, so.state, seat, action)),
      past,
    );
  // What is over does not go on.
  if (record.settlement === undefined) known.set(matchId, { events, past: now });
  else known.delete(matchId);
  return now;
}

/** A match up to joining. */
async function joined(record: MatchRecord, history: History): Promise<Past> {
  const { chainId, matchId, terms, player1, player2, opening, answer } = record;
  const mode = await modeBehind(terms.mode, terms.game, history);
  const players = [player1, player2 ?? ZeroAddress] as const;
  const match = { chainId, matchId, game: terms.game, rated: terms.rated, mode, players };
  const { state, logs } = told(matchId, "its opening", () => create(match, opening));
  const offered = { match, state, logs, turns: [], roots: mode.casual ? [] : [opening] };
  if (answer === undefined) return offered;
  const past = take(offered, "its answer", answer, () => join(match, state, answer));
  return mode.casual ? past : { ...past, roots: [opening, dataSlice(answer, 32)] };
}

/** Adds what came of something that a player sent. */
function take(past: Past, what: string, data: Hex, outcome: () => Outcome): Past {
  const { state, logs } = told(past.match.matchId, what, outcome);
  const isNew = state.seal !== NO_STATE && state.seal !== past.state.seal;
  return {
    ...past,
    state,
    logs: [...past.logs, ...logs],
    turns: [...past.turns, state.turn],
    sealed: isNew ? behind(data, state.seal) : past.sealed,
  };
}

/** The seal of a seat that is open, with the note behind it; undefined if it is the other's, or there is none. */
export function ownSeal({ state, sealed }: Past, seat: bigint): Hex | undefined {
  return state.seal !== NO_STATE && state.position?.mover === Number(seat) ? sealed : undefined;
}

/** A refusal is one of an event that should not be there. */
function told(matchId: bigint, what: string, outcome: () => Outcome): Outcome {
  try {
    return outcome();
  } catch (error) {
    throw error instanceof Refusal ? new Mismatch(`match ${matchId}, ${what}: ${error.message}`) : error;
  }
}

/** A seal is the last but for its note in what brings it. */
function behind(action: Hex, seal: Hex): Hex {
  return `0x${action.slice(action.lastIndexOf(seal.slice(2)))}`;
}
