import { bytesOf, hexOf, sized } from "../bytes.js";
import type { Hex } from "../hex.js";
import { bytes32, InputError, integer, object, oneOf, optional, text, type Reader } from "../input.js";
import { isVersionLine } from "../version.js";
import { MAX_NONCE } from "./table.js";
import { NEVER, SIGNATURE_BYTES, SESSION_SIGNATURE_BYTES } from "./signatures.js";

/** Action of a player at the table, and the state behind it. */
export interface AwayMove {
  type: "move";
  /** Nonce of the state behind the action: the first action has 1. */
  nonce: number;
  /** Seat that acts. */
  seat: bigint;
  /** Data of the action, as the game encodes it. */
  action: Hex;
  base: Hex;
  /** Seat in turn behind the action. */
  turn: bigint;
  word: Hex;
  record: Hex;
  /** Signature by the acting seat of the state behind the action. */
  signature: Hex;
  /** Signature by the acting seat of the state before the action; only if the other seat has led to it. */
  previous?: Hex;
}

/** Proposal of a result by a seat. */
export interface AwayAsk {
  type: "ask";
  seat: bigint;
  winner: bigint;
  nonce: number;
  signature: Hex;
}

/** Agreement to a result by a seat: its half of what settles the match. */
export interface AwayAgreement {
  type: "agreement";
  seat: bigint;
  winner: bigint;
  until: bigint;
  record: Hex;
  /** Nonce of the state of that record. */
  nonce: number;
  signature: Hex;
}

/** Message between the players of a match. */
export type AwayMessage = AwayMove | AwayAsk | AwayAgreement;

/** Actions of a match at the table, oldest first. */
export type Transcript = readonly AwayMove[];

/** Bytes of a message as JSON, at most. */
export const MAX_MESSAGE_BYTES = 4096;

/** Bytes of all messages of a match, at most. */
export const MAX_MATCH_BYTES = 4 * 2 ** 20;

const playerSeat: Reader<bigint> = (value, path) => BigInt(integer(1, 2)(value, path));

const winnerSeat: Reader<bigint> = (value, path) => BigInt(integer(0, 2)(value, path));

const untilTime: Reader<bigint> = (value, path) => BigInt(integer(0, Number(NEVER))(value, path));

const hexUpTo =
  (max: number): Reader<Hex> =>
  (value, path) =>
    hexOf(sized(text(value, path), path, 1, max));

const signature: Reader<Hex> = (value, path) => {
  const read = hexUpTo(SESSION_SIGNATURE_BYTES)(value, path);
  const { length } = bytesOf(read);
  if (length === SIGNATURE_BYTES || length === SESSION_SIGNATURE_BYTES) return read;
  throw new InputError(path, `${length} bytes instead of ${SIGNATURE_BYTES} or ${SESSION_SIGNATURE_BYTES}`);
};

const readers = {
  move: object({
    type: oneOf("move"),
    nonce: integer(1, MAX_NONCE),
    seat: playerSeat,
    action: hexUpTo(MAX_MESSAGE_BYTES / 2),
    base: bytes32,
    turn: winnerSeat,
    word: bytes32,
    record: bytes32,
    signature,
    previous: optional(signature, undefined),
  }),
  ask: object({
    type: oneOf("ask"),
    seat: playerSeat,
    winner: winnerSeat,
    nonce: integer(0, MAX_NONCE),
    signature,
  }),
  agreement: object({
    type: oneOf("agreement"),
    seat: playerSeat,
    winner: winnerSeat,
    until: untilTime,
    record: bytes32,
    nonce: integer(0, MAX_NONCE),
    signature,
  }),
};

/** Reads a message of any type, as `messageText` writes it and JSON parses it. @throws InputError */
export const readMessage: Reader<AwayMessage> = (value, path) => {
  const type = (value as { type?: unknown } | null | undefined)?.type;
  const which = oneOf("move", "ask", "agreement")(type, path === "" ? "type" : `${path}.type`);
  if (which !== "move") return readers[which](value, path);
  const { previous, ...move } = readers.move(value, path);
  return previous === undefined ? move : { ...move, previous };
};

/** Reads a message from a line of JSON. @param path Name of the line in errors. @throws InputError */
export function parseMessage(line: string, path: string): AwayMessage {
  if (line.length > MAX_MESSAGE_BYTES) {
    throw new InputError(path, `${line.length} characters are more than ${MAX_MESSAGE_BYTES}`);
  }
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    throw new InputError(path, "not JSON");
  }
  return readMessage(value, path);
}

/** Writes a message as a line of JSON: equal messages give equal lines. */
export function messageText(message: AwayMessage): string {
  const entries = ORDER.filter((name) => name in message).map((name) => [
    name,
    plain((message as unknown as Record<string, unknown>)[name]),
  ]);
  return JSON.stringify(Object.fromEntries(entries));
}

const ORDER = [
  "type",
  "nonce",
  "seat",
  "winner",
  "until",
  "action",
  "base",
  "turn",
  "word",
  "record",
  "signature",
  "previous",
];

function plain(value: unknown): unknown {
  return typeof value === "bigint" ? Number(value) : value;
}

/**
 * Reads the moves of a transcript, a message a line; proposals and agreements between them are passed over.
 * @param path Name of the file in errors.
 * @throws InputError
 */
export function parseTranscript(lines: string, path: string): AwayMove[] {
  return lines
    .split("\n")
    .filter((line) => line.trim() !== "")
    .flatMap((line, i) => {
      const place = `${path}:${i + 1}`;
      return i === 0 && isVersionLine(["the archive of a relay"], line, place) ? [] : parseMessage(line, place);
    })
    .filter((message) => message.type === "move");
}
