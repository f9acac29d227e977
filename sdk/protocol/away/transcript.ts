import { concat, toBeHex } from "ethers";
import { bytesOf, hexOf } from "../bytes.js";
import { keccak } from "../hash.js";
import type { Hex } from "../hex.js";
import { InputError } from "../input.js";
import { otherSeat } from "../sides.js";
import { Seat } from "../status.js";
import type { SignedState } from "./table.js";
import {
  type AwayState,
  type AwayMatch,
  stateRequest,
  agreementRequest,
  askRequest,
  digestOf,
  isSignedBy,
  signersOf,
} from "./signatures.js";
import type { AwayAgreement, AwayAsk, AwayMove, Transcript } from "./messages.js";

/**
 * Computes the record behind an action: keccak256 of `record 32 || seat 1 || action`. The record of nonce 0 is the base.
 * @param record Record before the action.
 */
export function nextRecord(record: Hex, seat: bigint, action: Hex): Hex {
  return hexOf(keccak(bytesOf(concat([record, toBeHex(seat, 1), action]))));
}

/** Returns the state behind a move. */
export function stateBehind(
  matchId: bigint,
  { base, nonce, turn, word, record }: Omit<AwayMove, "signature">,
): AwayState {
  return { matchId, base, nonce, turn, word, record };
}

/**
 * Checks a move against the one before it: nonce, seat, base, record and signatures. Only an engine can tell if the action
 * leads to that word and turn.
 * @param before The move before it; undefined for the first.
 * @throws InputError that names the first rule that is broken.
 */
export function checkMove(match: AwayMatch, before: AwayMove | undefined, move: AwayMove, path = "move"): void {
  const { nonce, seat, base, record, previous } = move;
  const wrong = (field: string, problem: string) => new InputError(`${path}.${field}`, problem);
  const expected = (before?.nonce ?? 0) + 1;
  if (nonce !== expected) throw wrong("nonce", `${nonce} instead of ${expected}`);
  if (before && seat !== before.turn) throw wrong("seat", `${seat} instead of ${before.turn}, which is in turn`);
  if (before && base !== before.base) throw wrong("base", `${base} instead of ${before.base}`);
  const expectedRecord = nextRecord(before?.record ?? base, seat, move.action);
  if (record !== expectedRecord) throw wrong("record", `${record} instead of ${expectedRecord}`);
  checkStateSignature(match, seat, move, move.signature, `${path}.signature`);
  const signsBefore = before !== undefined && before.seat !== seat;
  if (!signsBefore && previous !== undefined) throw wrong("previous", "there is no state to sign before this one");
  if (!signsBefore) return;
  if (previous === undefined) throw wrong("previous", "left out");
  checkStateSignature(match, seat, before, previous, `${path}.previous`);
}

/**
 * Checks who has signed the state behind a move.
 * @throws InputError
 */
export function checkStateSignature(
  match: AwayMatch,
  seat: bigint,
  move: AwayMove,
  signature: Hex,
  path = "signature",
): void {
  const request = stateRequest(match.chainId, match.game, stateBehind(match.matchId, move));
  checkSignature(match, seat, digestOf(request), { signature, path });
}

/**
 * Checks who has signed a proposal or an agreement.
 * @throws InputError
 */
export function checkNote(match: AwayMatch, note: AwayAsk | AwayAgreement, path: string = note.type): void {
  const { chainId, arena, matchId, termsHash } = match;
  const request =
    note.type === "ask"
      ? askRequest(chainId, arena, { matchId, ...note })
      : agreementRequest(chainId, arena, { matchId, termsHash, ...note });
  checkSignature(match, note.seat, digestOf(request), { signature: note.signature, path: `${path}.signature` });
}

/** @throws InputError unless a signature counts for a seat. */
function checkSignature(
  match: AwayMatch,
  seat: bigint,
  digest: Hex,
  { signature, path }: { signature: Hex; path: string },
): void {
  if (isSignedBy(digest, signature, signersOf(match, seat))) return;
  throw new InputError(path, `seat ${seat} has not signed this`);
}

/**
 * Checks a whole transcript, like `checkMove`.
 * @throws InputError
 */
export function checkTranscript(match: AwayMatch, moves: Transcript, path = "transcript"): void {
  for (const [i, move] of moves.entries()) checkMove(match, moves[i - 1], move, `${path}[${i}]`);
}

/** Newest state that a transcript has a seat's signature of. */
export interface SupportedState {
  move: AwayMove;
  /** Signature by the other seat. */
  signature: Hex;
  /** Signature by the own seat, if the transcript has it. */
  own?: Hex;
}

/**
 * Lists the states that a seat can post, the newest first: those with a player in turn that the other seat has signed.
 * The own signature may be missing, and is then given now.
 * @param moves A checked transcript.
 */
export function supportedStates(moves: Transcript, seat: bigint): SupportedState[] {
  const other = otherSeat(seat);
  const states = moves.flatMap((move, i): SupportedState[] => {
    const next = moves.at(i + 1);
    const signatureBy = (signer: bigint) =>
      move.seat === signer ? move.signature : next?.seat === signer ? next.previous : undefined;
    const [signature, own] = [signatureBy(other), signatureBy(seat)];
    if (signature === undefined || move.turn === Seat.None) return [];
    return [{ move, signature, ...(own !== undefined && { own }) }];
  });
  return states.reverse();
}

/** Returns the state of a move with the signatures of both seats, in the order of the seats. */
export function signedState({ nonce, turn, word, record }: AwayMove, seat: bigint, own: Hex, others: Hex): SignedState {
  const [signature1, signature2] = seat === Seat.One ? [own, others] : [others, own];
  return { nonce, turn, word, record, signature1, signature2 };
}
