import { concat, hexlify, randomBytes, toBeHex, toUtf8Bytes, TypedDataEncoder } from "ethers";
import type { Hex } from "./hex.js";
import { bytesOf, hexOf, numberAt, sized } from "./bytes.js";
import { hashWords, keccak, numberOf } from "./hash.js";

/** What an answer or reveal says it is for: the round from 1 and the game's state in that round, 32 bytes. */
export interface Header {
  round: number;
  state: Hex;
}

/** Player 2's open answer to a commitment. */
export interface Answer extends Header {
  commitment: Hex;
  move: Hex;
  salt: Hex;
}

/**
 * Player 1's reveal of its commitment, repeating the answer; `next` is the commitment of the next round with its note.
 */
export interface Reveal extends Header {
  salt: Hex;
  move: Hex;
  answerMove: Hex;
  answerSalt: Hex;
  next: Hex;
}

/** A commitment and the note behind it, 0..96 bytes that only the player can read. */
export interface Commitment {
  commitment: Hex;
  note: Hex;
}

/** State of a game that keeps nothing between rounds. */
export const NO_STATE: Hex = toBeHex(0, 32);

const ROUND_BYTES = 2;
const WORD_BYTES = 32;
const HEAD_BYTES = ROUND_BYTES + WORD_BYTES;
const COMMITMENT_TYPEHASH = keccak(toUtf8Bytes("Commitment(address player,bytes move,bytes32 salt)"));
/** Hashes of the domains that commitments were made in. */
const domains = new Map<string, Uint8Array>();

/** 32 fresh bytes from the platform's cryptographic source; as a salt it is never zero in practice. */
export function newSalt(): Hex {
  return hexlify(randomBytes(WORD_BYTES));
}

/**
 * The commitment of a move: EIP-712 digest that binds chain, game contract, player, move and salt.
 * Wallets are never asked to sign it; it is only compared.
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

/** The word a commit-reveal game stores for a round; `answer` is zero while it is awaited. */
export function stateHashOf(header: Header, commitment: Hex, answer?: { move: Hex; salt: Hex }): Hex {
  const hash = answer === undefined ? NO_STATE : keccak(bytesOf(concat([answer.move, answer.salt])));
  return hexOf(hashWords(header.round, header.state, commitment, hash));
}

/** `commitment 32 || note`. */
export function encodeCommitment({ commitment, note }: Commitment): Hex {
  return concat([commitment, note]);
}

/** Inverse of `encodeCommitment`. @throws InputError for less than a commitment. */
export function decodeCommitment(data: Hex): Commitment {
  const bytes = sized(data, "commitment", WORD_BYTES, Infinity);
  return { commitment: hexOf(bytes.subarray(0, WORD_BYTES)), note: hexOf(bytes.subarray(WORD_BYTES)) };
}

/** `round 2 || state 32 || commitment 32 || move || salt 32`. */
export function encodeAnswer(answer: Answer): Hex {
  return concat([head(answer), answer.commitment, answer.move, answer.salt]);
}

/**
 * Inverse of `encodeAnswer`; the move is what lies between commitment and salt. @throws InputError for less than these.
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

/** `round 2 || state 32 || salt 32 || move || answer's move || answer's salt 32 || [next commitment 32 || note]`. */
export function encodeReveal(reveal: Reveal): Hex {
  const { salt, move, answerMove, answerSalt, next } = reveal;
  return concat([head(reveal), salt, move, answerMove, answerSalt, next]);
}

/**
 * Inverse of `encodeReveal`; `length1` and `length2` are the moves' lengths in bytes.
 * @throws InputError for less than both moves and salts.
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
