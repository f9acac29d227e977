import { dataSlice, ZeroAddress, ZeroHash } from "ethers";
import type { History } from "../../history.js";
import type { MatchRecord, RoundLog } from "../../record.js";
import { Mismatch } from "../../rounds.js";
import { NO_STATE, type Hex } from "../../seal.js";
import { decodeMode, type Mode } from "./mode.js";
import { act, create, join, type Match, type Outcome, type State } from "./protocol.js";
import { Refusal } from "./refusal.js";

/** A match so far, played again from its events. */
export interface Past {
  match: Match;
  state: State;
  logs: RoundLog[];
  /** What each player sealed its setup with, by side: the root, and the note behind it; empty in casual matches. */
  roots: Hex[];
  /** The seal of the turn that is open, with the note behind it. */
  sealed?: Hex;
}

/** A mode by its hash. */
export async function modeBehind(mode: Hex, game: string, history: History): Promise<Mode> {
  return decodeMode(mode === ZeroHash ? "0x" : await history.mode(game, mode));
}

/** Plays a match again. @throws Mismatch for an action that the contract must have refused. */
export async function retrace(record: MatchRecord, history: History): Promise<Past> {
  const { chainId, matchId, terms, player1, player2, opening, answer, actions } = record;
  const mode = await modeBehind(terms.mode, terms.game, history);
  const players = [player1, player2 ?? ZeroAddress] as const;
  const match = { chainId, matchId, game: terms.game, rated: terms.rated, mode, players };
  let state: State | undefined;
  const past: Omit<Past, "state"> = { match, logs: [], roots: mode.casual ? [] : [opening] };
  const take = (what: string, data: Hex, outcome: () => Outcome) => {
    const { state: next, logs } = told(`match ${matchId}, ${what}`, outcome);
    past.logs.push(...logs);
    if (next.seal !== NO_STATE && next.seal !== state?.seal) past.sealed = behind(data, next.seal);
    state = next;
  };
  take("its opening", opening, () => create(match, opening));
  if (answer !== undefined) {
    take("its answer", answer, () => join(match, state!, answer));
    if (!mode.casual) past.roots.push(dataSlice(answer, 32));
  }
  for (const [i, { seat, action }] of actions.entries()) {
    take(`action ${i + 1}`, action, () => act(match, state!, seat, action));
  }
  return { ...past, state: state! };
}

/** The seal of a seat that is open, with the note behind it; undefined if it is the other's, or there is none. */
export function ownSeal({ state, sealed }: Past, seat: bigint): Hex | undefined {
  return state.seal !== NO_STATE && state.position?.mover === Number(seat) ? sealed : undefined;
}

/** A refusal is one of an event that should not be there. */
function told(where: string, outcome: () => Outcome): Outcome {
  try {
    return outcome();
  } catch (error) {
    throw error instanceof Refusal ? new Mismatch(`${where}: ${error.message}`) : error;
  }
}

/** A seal is the last but for its note in what brings it. */
function behind(action: Hex, seal: Hex): Hex {
  return `0x${action.slice(action.lastIndexOf(seal.slice(2)))}`;
}
