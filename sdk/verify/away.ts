import { ZeroHash } from "ethers";
import type { ChainEvent } from "../chain/events.js";
import type { History } from "../chain/history.js";
import { mismatchAt, type LocatedMismatch } from "../chain/mismatch.js";
import type { MatchRecord } from "../chain/record.js";
import type { AwayPlay, GameModule } from "../games/module.js";
import { modeContent } from "../games/modes.js";
import { RecordError } from "../games/revealed-rounds.js";
import { actionsOf, virtualRecord } from "../games/virtual-record.js";
import type { Transcript } from "../protocol/away/messages.js";
import { digestOf, isSignedBy, signersOf, stateRequest, type AwayMatch } from "../protocol/away/signatures.js";
import type { SignedState } from "../protocol/away/table.js";
import { checkMove, nextRecord } from "../protocol/away/transcript.js";
import { isKind } from "../protocol/error-kind.js";
import type { Hex } from "../protocol/hex.js";
import { InputError, oneLine } from "../protocol/input.js";
import { Seat } from "../protocol/status.js";
import { termsHash } from "../protocol/terms.js";

/**
 * Basis of a match's result: data that was replayed; signatures of both players, with a shown transcript; or their
 * signatures alone.
 */
export type AwayVerdict = "replayed" | "agreed and shown" | "agreed, not shown";

/** Verdict on a match. */
export interface AwayCheck {
  verdict: AwayVerdict;
  /** Why the transcript that was given does not show what the players have agreed on. */
  problem?: string;
}

/** State of a match at its table, as the engine computes it. */
interface ComputedState {
  word: Hex;
  record: Hex;
  /** Seat in turn; None once the game is over. */
  turn: bigint | undefined;
  /** Seat of the winner, once the game is over. */
  winner?: bigint;
}

/** Course of the table of a match on chain, up to the first acceptance. */
interface OnChain {
  posted: SignedState[];
  /** Place of the first acceptance among the actions; left out if there is none. */
  acceptedAt?: number;
  /** Nonce of the state that was accepted. */
  accepted: number;
}

/**
 * Describes the basis of a match's result. Players may sign anything, so their agreement is never a mismatch: the
 * record's transcript shows it, or does not.
 * @param record Record of a match that was replayed without a mismatch.
 */
export async function checkAway(record: MatchRecord, game: GameModule, history: History): Promise<AwayCheck> {
  const { agreement, transcript, joinData } = record;
  const { away } = game;
  if (joinData === undefined) return { verdict: "replayed" };
  // Actions on chain are public.
  if (!away?.isAway(await modeContent(game, record.terms, history))) {
    return { verdict: agreement ? "agreed and shown" : "replayed" };
  }
  const onChain = tableIn(record, away);
  if (!agreement && onChain.accepted === 0) return { verdict: "replayed" };
  const problem = await problemIn(record, onChain, transcript ?? [], game, history);
  if (problem === undefined) return { verdict: "agreed and shown" };
  return { verdict: "agreed, not shown", ...(transcript && { problem }) };
}

/** Reads what the chain tells of a table. After the first acceptance players may have made it say anything. */
function tableIn({ actions }: MatchRecord, away: AwayPlay): OnChain {
  const posted: SignedState[] = [];
  for (const [i, { data }] of actions.entries()) {
    const action = away.decode(data);
    if (action?.type === "accept") return { posted, acceptedAt: i, accepted: action.table.nonce };
    if (action?.state) posted.push(action.state);
  }
  return { posted, accepted: 0 };
}

/** Returns why a transcript does not show what the players have agreed on; undefined if it does. */
async function problemIn(
  record: MatchRecord,
  onChain: OnChain,
  transcript: Transcript,
  game: GameModule,
  history: History,
): Promise<string | undefined> {
  const { states, problem } = await statesOf(record, transcript, game, history);
  const missing = postProblem(onChain, states) ?? agreementProblem(record, onChain, states, game.away!);
  // A move that fails behind what was agreed on spoils nothing: a player may add one to a good transcript.
  return missing && (problem ?? missing);
}

/**
 * Computes the states of a transcript, that after joining first, up to the first move that fails: one that breaks a rule of
 * transcripts or of the game, or that tells another state.
 * @returns The states, and why there are no more if a move fails.
 */
async function statesOf(
  record: MatchRecord,
  transcript: Transcript,
  game: GameModule,
  history: History,
): Promise<{ states: ComputedState[]; problem?: string }> {
  const match = matchOf(record, history);
  const actions = actionsOf(transcript);
  // An engine keeps matches that are not over with their history, to go on from there: here for as long as this takes.
  const scratch = Object.create(history) as History;
  const computed = async (nonce: number) => {
    const virtual = virtualRecord(record, actions.slice(0, nonce));
    const { position, turns, result } = await game.replay(virtual, scratch);
    return { word: position, turn: turns.at(-1), winner: result?.winner };
  };
  const joined = await computed(0);
  const states: ComputedState[] = [{ ...joined, record: joined.word }];
  try {
    for (const [i, move] of transcript.entries()) {
      checkMove(match, transcript[i - 1], move, `transcript[${i}]`);
      const state = await computed(move.nonce);
      for (const [field, told, expected] of [
        ["base", move.base, joined.word],
        ["word", move.word, state.word],
        ["turn", move.turn, state.turn],
      ] as const) {
        if (told === expected) continue;
        throw new InputError(`move ${move.nonce}.${field}`, `${told} instead of ${String(expected)}`);
      }
      states.push({ ...state, record: move.record });
    }
  } catch (error) {
    if (isKind(error, InputError)) return { states, problem: oneLine(error.message) };
    if (isKind(error, RecordError)) return { states, problem: oneLine(error.problem) };
    throw error;
  }
  return { states };
}

function postProblem({ posted }: OnChain, states: readonly ComputedState[]): string | undefined {
  for (const { nonce, word, turn, record } of posted) {
    const state = states.at(nonce);
    if (nonce >= states.length || !state) return `it ends before move ${nonce}, which was posted`;
    if (state.word !== word || state.turn !== turn || state.record !== record) {
      return `it leads to another state by move ${nonce} than the one that was posted`;
    }
  }
  return undefined;
}

function agreementProblem(
  { agreement, actions }: MatchRecord,
  { acceptedAt, accepted }: OnChain,
  states: readonly ComputedState[],
  away: AwayPlay,
): string | undefined {
  if (!agreement) return undefined;
  const { record, winner } = agreement;
  const agreed = states.find((state) => state.record === record);
  if (agreed) {
    const isOther = agreed.winner !== undefined && agreed.winner !== winner;
    return isOther ? `it ends with winner ${agreed.winner}, and the players have agreed on ${winner}` : undefined;
  }
  if (acceptedAt !== undefined) {
    // On the chain again, there is nothing left to show but what is there.
    if (record === ZeroHash) return undefined;
    const { seat, data } = actions[acceptedAt];
    const accepting = away.decode(data);
    const own =
      accepting?.type === "accept" && accepting.action !== undefined ? [{ seat, data: accepting.action }] : [];
    let last = states[accepted].record;
    for (const action of [...own, ...actions.slice(acceptedAt + 1)]) {
      last = nextRecord(last, action.seat, action.data);
      if (last === record) return undefined;
    }
  }
  return "it leads to no state of the record on which the players have agreed";
}

/**
 * Finds the first post of a match, up to the first acceptance, that not both players have signed.
 * @param acted Actions of the match, in the order of the chain.
 * @param pledged Keys that were pledged for it.
 */
export function unsignedPost(
  record: MatchRecord,
  away: AwayPlay,
  acted: readonly ChainEvent<"Acted">[],
  pledged: readonly ChainEvent<"Pledged">[],
  history: History,
): LocatedMismatch | undefined {
  const match = matchOf(record, history);
  for (const event of acted) {
    const action = away.decode(event.args.data);
    if (action?.type === "accept") return undefined;
    if (!action?.state) continue;
    const { table, state } = action;
    const { nonce, turn, word, record: hash } = state;
    const signed = { matchId: record.matchId, base: table.base, nonce, turn, word, record: hash };
    const digest = digestOf(stateRequest(match.chainId, match.game, signed));
    const keys = pledged.filter((each) => isBefore(each, event)).map(({ args }) => args);
    for (const [seat, signature] of [
      [Seat.One, state.signature1],
      [Seat.Two, state.signature2],
    ] as const) {
      if (isSignedBy(digest, signature, signersOf({ ...match, keys }, seat))) continue;
      return mismatchAt(event, `signature ${seat}`, `one of player ${seat}`, signature);
    }
  }
  return undefined;
}

function isBefore(one: ChainEvent<"Pledged">, other: ChainEvent<"Acted">): boolean {
  return one.block < other.block || (one.block === other.block && one.index < other.index);
}

/** Returns the facts by which what was signed for a match is checked. */
function matchOf({ chainId, matchId, terms, player1, player2, keys }: MatchRecord, { addresses }: History): AwayMatch {
  return {
    chainId,
    arena: addresses.Arena,
    game: terms.game,
    matchId,
    termsHash: termsHash(terms),
    players: [player1, player2!],
    keys,
  };
}
