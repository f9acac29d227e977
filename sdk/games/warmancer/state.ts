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

/** Kinds of actions, encoded as their first byte. */
export const Kind = {
  Commit: 0,
  Answer: 1,
  Reveal: 2,
  Prove: 3,
  Move: 4,
  Concede: 5,
  Setup: 6,
} as const;
/** Number that is added to an action's kind if its sender's setup follows the action. */
export const RIDING = 0x80;

/** Match, as the contract sees it. */
export interface Match {
  chainId: bigint | number;
  matchId: bigint;
  /** Address of the game. */
  game: string;
  /** Addresses of both players; the second is not read until player 2 joins. */
  players: readonly [string, string];
  rated: boolean;
  mode: Mode;
}

/** State of a match. */
export interface State {
  /** Seat that acts next; None when the match is over. */
  turn: bigint;
  /** Seat of the winner; None in a draw, and while the match is not over. */
  winner: bigint;
  /** Number of the turn; 0 before player 2 has joined. */
  round: number;
  /** Hash of the position. Before player 2 joins: player 1's root or, in a casual match, the hash of its ranks. */
  state: Hex;
  /** Open commitment, or zero. */
  commitment: Hex;
  /** Answer to the commitment, 2 bytes; undefined until the player has answered. */
  answer?: Hex;
  /** Position; undefined until player 2 joins. */
  position?: Position;
  /** Hash of a state, if only this hash and the turn are known: the next action contains the rest. */
  hash?: Hex;
}

/** Outcome of an accepted action. */
export interface Outcome {
  state: State;
  logs: RoundLog[];
  /** Step that the game returns to its arena; values as in `Seat`. */
  step: { turn: bigint; winner: bigint; taker: bigint };
}

/** Part of a state that its hash commits to. */
type CommittedState = Pick<State, "round" | "state" | "commitment" | "answer">;

/** Length of a move in bytes. */
export const MOVE_BYTES = 2;
const ANY_LENGTH = 2n ** 256n - 1n;

/** Returns the position that the arena stores for a match; zero when it is over. */
export function stateHashIn(state: State): Hex {
  return state.turn === Seat.None ? ZeroHash : (state.hash ?? stateHashFor(state));
}

/**
 * Checks that the state sent by a player matches the state hash.
 * @throws ContractError if it does not.
 */
export function checkStateHash(matchId: bigint, state: State, brought: CommittedState): void {
  const [stateHash, expected] = [stateHashFor(brought), stateHashIn(state)];
  if (stateHash !== expected) throw new ContractError("WrongRound", { matchId, stateHash, expected });
}

/**
 * Checks the number of bytes.
 * @throws ContractError if it is out of bounds.
 */
export function checkLength({ length }: Uint8Array, min: number, max: number | bigint = ANY_LENGTH): void {
  if (length < min || length > max) throw new ContractError("WrongLength", { length, min, max });
}

/** Returns the outcome of an action after which a seat acts next, with the new position. */
export function goesOn(
  turn: bigint,
  position: Position,
  committed: { commitment: Hex; answer?: Hex } = { commitment: NO_STATE },
): Outcome {
  const state = { round: position.turn, state: hexOf(keccak(positionBytes(position))), ...committed, position };
  return outcome({ ...state, turn, winner: Seat.None });
}

/** Returns the outcome of creating a match with a root or, in a casual match, the hash of ranks. */
export function offered(commitment: Hex): Outcome {
  return outcome({ turn: Seat.Two, winner: Seat.None, round: 0, state: commitment, commitment: NO_STATE });
}

/** Returns the outcome of an action that ends the match; the winner is 1, 2 or 0 for a draw. */
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
