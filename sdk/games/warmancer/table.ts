import { concat } from "ethers";
import { bytesOf, hexOf } from "../../protocol/bytes.js";
import {
  decodeTable,
  encodeAccept,
  encodePost,
  decodeAccept,
  decodePost,
  TABLE_BYTES,
  tableAfter,
  tableHash,
  type SignedState,
  type Table,
} from "../../protocol/away/table.js";
import type { Hex } from "../../protocol/hex.js";
import { isPlayerSeat, otherSeat } from "../../protocol/sides.js";
import { Seat } from "../../protocol/status.js";
import type { AwayAction, AwayPlay } from "../module.js";
import { ContractError } from "./contract-error.js";
import { decodeMode } from "./mode.js";
import { checkLength, Kind, stateHashIn, type Match, type Outcome, type State } from "./state.js";

/** Bytes of a post up to the signatures, and the place of the byte that tells the length of the first. */
const SIGNATURES_AT = TABLE_BYTES + 70;
const LENGTH_AT = SIGNATURES_AT - 1;

/** How Warmancer is played away from the chain. */
export const awayPlay: AwayPlay = {
  isAway: (mode) => decodeMode(mode).away,
  encodePost: (table, state) => withKind(Kind.Post, encodePost(table, state)),
  encodeAccept: (table, action) => withKind(Kind.Accept, encodeAccept(table, action)),
  decode: decodeOnTable,
};

function withKind(kind: number, data: Hex): Hex {
  return concat([new Uint8Array([kind]), data]);
}

/**
 * Decodes an action on a table; undefined for any other action.
 * @throws InputError for fewer bytes than it takes.
 */
function decodeOnTable(action: Hex): AwayAction | undefined {
  const [kind] = bytesOf(action);
  const data: Hex = `0x${action.slice(4)}`;
  if (kind === Kind.Post) return { type: "post", ...decodePost(data) };
  return kind === Kind.Accept ? { type: "accept", ...decodeAccept(data) } : undefined;
}

/** Returns the state of a match in which a table is laid, in place of the state after joining. */
export function laid(outcome: Outcome): Outcome {
  const { state } = outcome;
  const base = stateHashIn(state);
  const table: Table = { base, word: base, nonce: 0, turn: state.turn, poster: Seat.None };
  return { ...outcome, state: { ...state, turn: Seat.Either, table }, step: { ...outcome.step, turn: Seat.Either } };
}

/**
 * Posts a state, or what stands on the table while nobody has posted. Signatures are not checked: their check takes keys
 * that only the arena knows.
 * @param data Data of a post, without its kind.
 * @throws ContractError as the contract does.
 */
export function post({ matchId }: Match, state: State, seat: bigint, data: Uint8Array): Outcome {
  const table = checkedTable(matchId, state, data);
  const posted = data.length === TABLE_BYTES ? undefined : postedState(matchId, table, data);
  if (!posted && table.poster !== Seat.None) {
    throw new ContractError("NotNewer", { matchId, nonce: table.nonce, than: table.nonce });
  }
  const turn = otherSeat(seat);
  const next = { ...state, turn, table: tableAfter(table, seat, posted) };
  return { state: next, logs: [], step: { turn, winner: Seat.None, taker: Seat.None } };
}

function postedState(matchId: bigint, table: Table, data: Uint8Array): SignedState {
  checkLength(data, SIGNATURES_AT);
  const head = new Uint8Array(SIGNATURES_AT);
  head.set(data.subarray(0, LENGTH_AT));
  // The nonce and the turn are checked before the lengths of the signatures.
  const { nonce, turn } = decodePost(hexOf(head)).state!;
  if (nonce <= table.nonce) throw new ContractError("NotNewer", { matchId, nonce, than: table.nonce });
  if (!isPlayerSeat(turn)) throw new ContractError("NobodysTurn", { matchId, turn });
  checkLength(data, SIGNATURES_AT + data[LENGTH_AT]);
  return decodePost(hexOf(data)).state!;
}

/** Table that a player accepts, and the player's action on it, which is empty if there is none. */
export interface Accepted {
  table: Table;
  action: Uint8Array;
}

/**
 * Returns what a player accepts.
 * @param data Data of an acceptance, without its kind.
 * @throws ContractError as the contract does.
 */
export function accepted({ matchId }: Match, state: State, seat: bigint, data: Uint8Array): Accepted {
  const table = checkedTable(matchId, state, data);
  if (table.poster === Seat.None) throw new ContractError("NotPosted", { matchId });
  if (table.turn !== seat) checkLength(data, TABLE_BYTES, TABLE_BYTES);
  return { table, action: data.subarray(TABLE_BYTES) };
}

/** Returns the table that data begins with. @throws ContractError unless it is that of the match. */
function checkedTable(matchId: bigint, state: State, data: Uint8Array): Table {
  checkLength(data, TABLE_BYTES);
  const table = decodeTable(hexOf(data.subarray(0, TABLE_BYTES)));
  const [found, expected] = [tableHash(table), stateHashIn(state)];
  if (found !== expected) throw new ContractError("WrongTable", { matchId, tableHash: found, expected });
  return table;
}
