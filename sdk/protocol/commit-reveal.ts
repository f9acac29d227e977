import { concat, hexlify, randomBytes, toBeHex, toUtf8Bytes, TypedDataEncoder } from "ethers";
import type { Hex } from "./hex.js";
import { bytesOf, hexOf, numberAt, sized, WORD_BYTES } from "./bytes.js";
import { hashWords, keccak, numberOf } from "./hash.js";

/** The round that an answer or a reveal is for. */
export interface Header {
  /** From 1. */
  round: number;
  /** The game's state in that round, 32 bytes. */
  state: Hex;
}

/** Player 2's open answer to a commitment. */
export interface Answer extends Header {
  /** The commitment that this answers, 32 bytes. */
  commitment: Hex;
  move: Hex;
  /** 32 bytes. */
  salt: Hex;
}

/** Player 1's reveal of its committed move, which repeats the answer. */
export interface Reveal extends Header {
  /** Salt of the commitment, 32 bytes. */
  salt: Hex;
  /** The move that was committed to. */
  move: Hex;
  answerMove: Hex;
  answerSalt: Hex;
  /** Commitment of the next round with its note; `0x` if no round follows. */
  next: Hex;
}

/** A commitment, followed by its note. */
export interface Commitment {
  /** 32 bytes. */
  commitment: Hex;
  /** 0 to 96 bytes that only the player can read. */
  note: Hex;
}

/** Maximum length of the note after a commitment, in bytes. */
export const MAX_NOTE_BYTES = 96;

/** State of a game that stores nothing between rounds. */
export const NO_STATE: Hex = toBeHex(0, WORD_BYTES);

const ROUND_BYTES = 2;
const HEAD_BYTES = ROUND_BYTES + WORD_BYTES;
const COMMITMENT_TYPEHASH = keccak(toUtf8Bytes("Commitment(address player,bytes move,bytes32 salt)"));
/** Hashes of the EIP-712 domains that commitments were made in, by chain id and game. */
const domains = new Map<string, Uint8Array>();

/**
 * Returns 32 fresh bytes from the platform's cryptographic source; a salt of zero does not occur in practice.
 * @example
 * ```ts
 * import { newSalt } from "duello";
 *
 * newSalt().length; // => 66
 * ```
 */
export function newSalt(): Hex {
  return hexlify(randomBytes(WORD_BYTES));
}

/**
 * Computes the commitment to a move: an EIP-712 digest that binds chain, game contract, player, move and salt. No
 * wallet ever signs this digest; the game only compares it.
 * @throws RangeError for an address or a salt of the wrong length; TypeError of ethers for data that is not 0x hex.
 * @example
 * ```ts
 * import { commitmentOf } from "duello";
 *
 * commitmentOf(chainId, addresses.MiniGames, alice, "0x00", salt); // => "0xa32b0929…"
 * ```
 */
export function commitmentOf(chainId: bigint | number, game: string, player: string, move: Hex, salt: Hex): Hex {
  const struct = hashWords(COMMITMENT_TYPEHASH, numberOf(player), keccak(bytesOf(move)), salt);
  const digest = new Uint8Array(2 + 2 * WORD_BYTES);
  digest.set([0x19, 0x01]);
  digest.set(domainHash(chainId, game), 2);
  digest.set(struct, 2 + WORD_BYTES);
  return hexOf(keccak(digest));
}

function domainHash(chainId: bigint | number, game: string): Uint8Array {
  const key = `${chainId} ${game}`;
  const known = domains.get(key);
  if (known) return known;
  const domain = { name: "Duello", version: "1", chainId, verifyingContract: game };
  const hash = bytesOf(TypedDataEncoder.hashDomain(domain));
  domains.set(key, hash);
  return hash;
}

/**
 * Computes the state hash of a round, which is the position of a match in a commit-reveal game.
 * @param answer Undefined while the answer is awaited.
 * @throws RangeError for a state or a commitment that is not 32 bytes long.
 * @example
 * ```ts
 * import { NO_STATE, stateHashOf } from "duello";
 *
 * const waiting = stateHashOf({ round: 1, state: NO_STATE }, salt); // the answer is awaited
 * const answered = stateHashOf({ round: 1, state: NO_STATE }, salt, { move: "0x02", salt: otherSalt });
 * waiting === answered; // => false
 * ```
 */
export function stateHashOf(header: Header, commitment: Hex, answer?: { move: Hex; salt: Hex }): Hex {
  const hash = answer === undefined ? NO_STATE : keccak(bytesOf(concat([answer.move, answer.salt])));
  return hexOf(hashWords(header.round, header.state, commitment, hash));
}

/**
 * Encodes `commitment 32 || note`.
 * @example
 * ```ts
 * import { encodeCommitment } from "duello";
 *
 * encodeCommitment({ commitment: salt, note: "0x1234" }); // => "0x0101…1234"
 * ```
 */
export function encodeCommitment({ commitment, note }: Commitment): Hex {
  return concat([commitment, note]);
}

/**
 * Decodes the result of `encodeCommitment`.
 * @throws InputError for fewer than 32 bytes.
 * @example
 * ```ts
 * import { decodeCommitment, encodeCommitment } from "duello";
 *
 * const committed = encodeCommitment({ commitment: salt, note: "0x1234" });
 * decodeCommitment(committed).note; // => "0x1234"
 * ```
 */
export function decodeCommitment(data: Hex): Commitment {
  const bytes = sized(data, "commitment", WORD_BYTES, Infinity);
  return { commitment: hexOf(bytes.subarray(0, WORD_BYTES)), note: hexOf(bytes.subarray(WORD_BYTES)) };
}

/**
 * Encodes `round 2 || state 32 || commitment 32 || move || salt 32`.
 * @example
 * ```ts
 * import { encodeAnswer, NO_STATE } from "duello";
 *
 * encodeAnswer({ round: 1, state: NO_STATE, commitment: salt, move: "0x02", salt: otherSalt }); // => "0x0001…0202"
 * ```
 */
export function encodeAnswer(answer: Answer): Hex {
  return concat([head(answer), answer.commitment, answer.move, answer.salt]);
}

/**
 * Decodes the result of `encodeAnswer`; the move is everything between commitment and salt.
 * @throws InputError for fewer bytes than an answer without a move has.
 * @example
 * ```ts
 * import { decodeAnswer, encodeAnswer, NO_STATE } from "duello";
 *
 * const answer = encodeAnswer({ round: 1, state: NO_STATE, commitment: salt, move: "0x02", salt: otherSalt });
 * decodeAnswer(answer).move; // => "0x02"
 * ```
 */
export function decodeAnswer(data: Hex): Answer {
  const move = HEAD_BYTES + WORD_BYTES;
  const bytes = sized(data, "answer", move + WORD_BYTES, Infinity);
  const salt = bytes.length - WORD_BYTES;
  return {
    ...readHead(bytes),
    commitment: hexOf(bytes.subarray(HEAD_BYTES, move)),
    move: hexOf(bytes.subarray(move, salt)),
    salt: hexOf(bytes.subarray(salt)),
  };
}

/**
 * Encodes a reveal as
 * `round 2 || state 32 || salt 32 || move || answer's move || answer's salt 32 || [next commitment 32 || note]`.
 * @example
 * ```ts
 * import { encodeReveal, NO_STATE } from "duello";
 *
 * const moves = { move: "0x00", salt, answerMove: "0x02", answerSalt: otherSalt };
 * encodeReveal({ round: 1, state: NO_STATE, ...moves, next: "0x" }); // => "0x0001…0202"
 * ```
 */
export function encodeReveal(reveal: Reveal): Hex {
  const { salt, move, answerMove, answerSalt, next } = reveal;
  return concat([head(reveal), salt, move, answerMove, answerSalt, next]);
}

/**
 * Decodes the result of `encodeReveal`.
 * @param length1 Bytes of the revealed move.
 * @param length2 Bytes of the answer's move.
 * @throws InputError for fewer bytes than the header, both moves and both salts have.
 * @example
 * ```ts
 * import { decodeReveal, encodeReveal, NO_STATE } from "duello";
 *
 * const moves = { move: "0x00", salt, answerMove: "0x02", answerSalt: otherSalt };
 * const reveal = encodeReveal({ round: 1, state: NO_STATE, ...moves, next: "0x" });
 * decodeReveal(reveal, 1, 1).move; // => "0x00"
 * ```
 */
export function decodeReveal(data: Hex, length1: number, length2: number): Reveal {
  const move = HEAD_BYTES + WORD_BYTES;
  const answer = move + length1;
  const salt = answer + length2;
  const next = salt + WORD_BYTES;
  const bytes = sized(data, "reveal", next, Infinity);
  return {
    ...readHead(bytes),
    salt: hexOf(bytes.subarray(HEAD_BYTES, move)),
    move: hexOf(bytes.subarray(move, answer)),
    answerMove: hexOf(bytes.subarray(answer, salt)),
    answerSalt: hexOf(bytes.subarray(salt, next)),
    next: hexOf(bytes.subarray(next)),
  };
}

function head({ round, state }: Header): Hex {
  return concat([toBeHex(round, ROUND_BYTES), state]);
}

function readHead(bytes: Uint8Array): Header {
  return { round: numberAt(bytes, 0, ROUND_BYTES), state: hexOf(bytes.subarray(ROUND_BYTES, HEAD_BYTES)) };
}
