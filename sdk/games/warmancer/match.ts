import { ZeroHash } from "ethers";
import { hexOf } from "../../protocol/bytes.js";
import { keccak } from "../../protocol/hash.js";
import type { RoundLog } from "../../chain/record.js";
import type { Hex } from "../../protocol/hex.js";
import { NO_STATE, stateHashOf } from "../../protocol/commit-reveal.js";
import { Seat } from "../../protocol/status.js";
import type { Mode } from "./mode.js";
import { positionBytes, type Position } from "./position.js";
import { ContractError } from "./contract-error.js";

/** Kinds of actions, their first byte. */
export const Kind = { Commit: 0, Answer: 1, Reveal: 2, Prove: 3, Move: 4, Concede: 5, Setup: 6 } as const;
/** Added to the kind of an action on which its sender's setup rides. */
export const RIDING = 0x80;

/** A match, as the contract knows it. */
export interface Match {
  chainId: bigint | number;
  matchId: bigint;
  /** Address of the game. */
  game: string;
  /** Addresses; the second is not read before that player joins. */
  players: readonly [string, string];
  rated: boolean;
  mode: Mode;
}

/** What a match has come to. */
export interface State {
  /** Whose turn it is, as in `Seat`; None when it is over. */
  turn: bigint;
  /** Who has won; None in a draw, and while it is not over. */
  winner: bigint;
  /**
   * What the word commits to. Before player 2 has joined the round is 0, and the state player 1's root or its ranks'
   * hash.
   */
  round: number;
  /** 32 bytes; later the hash of the position. */
  state: Hex;
  /** The commitment that is open, or zero. */
  commitment: Hex;
  /** The answer to it, 2 bytes, once it is given. */
  answer?: Hex;
  /** From joining on. */
  position?: Position;
}

/** What an accepted action does. */
export interface Outcome {
  state: State;
  logs: RoundLog[];
  /** As a game tells its arena; values as in `Seat`. */
  step: { turn: bigint; winner: bigint; taker: bigint };
}

/** What a word commits to. */
export type CommittedState = Pick<State, "round" | "state" | "commitment" | "answer">;

/** The length of a move. */
export const MOVE_BYTES = 2;
const ANY_LENGTH = 2n ** 256n - 1n;

/** The word that the contract keeps for a match; zero when it is over. */
export function stateHashIn(state: State): Hex {
  return state.turn === Seat.None ? ZeroHash : stateHashFor(state);
}

/** @throws ContractError unless what was brought is what the word commits to. */
export function checkStateHash(matchId: bigint, state: State, brought: CommittedState): void {
  const [word, expected] = [stateHashFor(brought), stateHashIn(state)];
  if (word !== expected) throw new ContractError("WrongRound", { matchId, word, expected });
}

/** @throws ContractError for bytes that are not as many. */
export function checkLength({ length }: Uint8Array, min: number, max: number | bigint = ANY_LENGTH): void {
  if (length < min || length > max) throw new ContractError("WrongLength", { length, min, max });
}

/** The match goes on from a position; the seat acts next. */
export function goesOn(
  turn: bigint,
  position: Position,
  committed: { commitment: Hex; answer?: Hex } = { commitment: NO_STATE },
): Outcome {
  const state = { round: position.turn, state: hexOf(keccak(positionBytes(position))), ...committed, position };
  return outcome({ ...state, turn, winner: Seat.None });
}

/** A match that nobody has joined yet, by what player 1 has committed to. */
export function offered(commitment: Hex): Outcome {
  return outcome({ turn: Seat.Two, winner: Seat.None, round: 0, state: commitment, commitment: NO_STATE });
}

/** The match is over; 1 or 2 has won, or 0 for a draw. */
export function settled(state: State, position: Position, winner: number): Outcome {
  return outcome({ ...state, position, turn: Seat.None, winner: BigInt(winner) });
}

function outcome(state: State): Outcome {
  const { turn, winner } = state;
  return { state, logs: [], step: { turn, winner, taker: winner } };
}

function stateHashFor({ round, state, commitment, answer }: CommittedState): Hex {
  return stateHashOf({ round, state }, commitment, answer === undefined ? undefined : { move: answer, salt: "0x" });
}
