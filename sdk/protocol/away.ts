import {
  computeAddress,
  concat,
  dataSlice,
  N,
  SigningKey,
  toBeHex,
  TypedDataEncoder,
  type TypedDataDomain,
} from "ethers";
import { bytesOf, hexOf, numberAt, sized, WORD_BYTES } from "./bytes.js";
import { keccak } from "./hash.js";
import type { Hex } from "./hex.js";
import { bytes32, InputError, integer, object, oneOf, optional, text, type Reader } from "./input.js";
import { otherSeat } from "./sides.js";
import { Seat } from "./status.js";

/** State of a game that is played away from the chain, which both players sign. */
export interface AwayState {
  matchId: bigint;
  /** State that the game would have kept on chain after joining, 32 bytes. */
  base: Hex;
  /** Number of actions since joining. */
  nonce: number;
  /** Seat in turn; None once the game is over. */
  turn: bigint;
  /** State that the game would keep on chain now, 32 bytes. */
  word: Hex;
  /** Hash of all actions since joining, as `nextRecord` makes it, 32 bytes. */
  record: Hex;
}

/** Result on which both players of a match agree, which they sign. */
export interface Agreement {
  matchId: bigint;
  termsHash: Hex;
  /** Seat of the winner; None for a draw. */
  winner: bigint;
  /** Last second in which it settles the match, since 1970; `NEVER` for one that does not end. */
  until: bigint;
  /** Record of the state that the players have agreed in, 32 bytes. */
  record: Hex;
}

/** Proposal of a result, which binds nobody. */
export interface AwayProposal {
  matchId: bigint;
  /** Seat of the winner; None for a draw. */
  winner: bigint;
  /** Nonce of the state in which it is proposed. */
  nonce: number;
}

/** Typed data of EIP-712, as `signTypedData` of a signer takes them. */
export interface SigningRequest {
  domain: TypedDataDomain;
  types: Record<string, { name: string; type: string }[]>;
  value: Record<string, unknown>;
}

/** What a match keeps on chain while it is played away: the table, of which it stores the hash. */
export interface Table {
  /** State after joining, 32 bytes. */
  base: Hex;
  /** State that stands on the table, 32 bytes. */
  word: Hex;
  nonce: number;
  /** Seat in turn in that state. */
  turn: bigint;
  /** Seat that has posted it; None while nobody has posted. */
  poster: bigint;
}

/** State with the signatures of both players, as a post brings it. */
export interface SignedState extends Pick<AwayState, "nonce" | "turn" | "word" | "record"> {
  signature1: Hex;
  signature2: Hex;
}

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

/** Facts of a match by which its messages are checked. */
export interface AwayMatch {
  chainId: bigint;
  /** Address of the arena. */
  arena: string;
  /** Address of the game. */
  game: string;
  matchId: bigint;
  termsHash: Hex;
  /** Addresses of player 1 and player 2. */
  players: readonly [string, string];
  /** Keys that the players have pledged on chain. */
  keys: readonly { seat: bigint; key: string }[];
}

/** Signers whose signatures count for a seat. */
export interface SeatSigners {
  player: string;
  /** Address of the key that the seat has pledged. */
  key?: string;
  /** Returns the digest by which the player appoints a session key of an address. */
  keyDigestOf(key: string): Hex;
}

/** `until` of an agreement that does not end. */
export const NEVER = 2n ** 40n - 1n;

/** Seconds for which a player agrees to a result that is not the game's. */
export const AGREEMENT_SECONDS = 600n;

/** Seconds that a match may be away from the chain. */
export const AWAY_SECONDS = 30n * 86_400n;

/** Bytes of a message as JSON, at most. */
export const MAX_MESSAGE_BYTES = 4096;

/** Bytes of all messages of a match, at most. */
export const MAX_MATCH_BYTES = 4 * 2 ** 20;

/** Bytes of a table. */
export const TABLE_BYTES = 2 * WORD_BYTES + 4 + 1 + 1;

/** Largest nonce that a table has room for. */
const MAX_NONCE = 2 ** 32 - 1;
const SIGNATURE_BYTES = 65;
/** Bytes of a session key's signature and of the player's signature that appoints it. */
const SESSION_SIGNATURE_BYTES = 2 * SIGNATURE_BYTES;
const STATE_BYTES = 4 + 1 + 2 * WORD_BYTES + 1;

const STATE_TYPES = {
  State: [
    { name: "matchId", type: "uint256" },
    { name: "base", type: "bytes32" },
    { name: "nonce", type: "uint32" },
    { name: "turn", type: "uint8" },
    { name: "word", type: "bytes32" },
    { name: "record", type: "bytes32" },
  ],
};
const AGREEMENT_TYPES = {
  Agreement: [
    { name: "matchId", type: "uint256" },
    { name: "termsHash", type: "bytes32" },
    { name: "winner", type: "uint8" },
    { name: "until", type: "uint40" },
    { name: "record", type: "bytes32" },
  ],
};
const KEY_TYPES = {
  Key: [
    { name: "matchId", type: "uint256" },
    { name: "key", type: "address" },
  ],
};
const ASK_TYPES = {
  Ask: [
    { name: "matchId", type: "uint256" },
    { name: "winner", type: "uint8" },
    { name: "nonce", type: "uint32" },
  ],
};

/** Returns what a player signs of a state. @param game Address of the game. */
export function stateRequest(chainId: bigint, game: string, state: AwayState): SigningRequest {
  const { matchId, base, nonce, turn, word, record } = state;
  return { domain: domainOf(chainId, game), types: STATE_TYPES, value: { matchId, base, nonce, turn, word, record } };
}

/** Returns what a player signs to agree to a result. @param arena Address of the arena. */
export function agreementRequest(chainId: bigint, arena: string, agreement: Agreement): SigningRequest {
  const { matchId, termsHash, winner, until, record } = agreement;
  return {
    domain: domainOf(chainId, arena),
    types: AGREEMENT_TYPES,
    value: { matchId, termsHash, winner, until, record },
  };
}

/**
 * Returns what a player signs to appoint a session key for one match.
 * @param arena Address of the arena.
 * @param key Address of the session key.
 */
export function appointmentRequest(chainId: bigint, arena: string, matchId: bigint, key: string): SigningRequest {
  return { domain: domainOf(chainId, arena), types: KEY_TYPES, value: { matchId, key } };
}

/** Returns what a player signs to propose a result. No contract takes it. @param arena Address of the arena. */
export function askRequest(chainId: bigint, arena: string, { matchId, winner, nonce }: AwayProposal): SigningRequest {
  const domain = { ...domainOf(chainId, arena), name: "Duello proposals" };
  return { domain, types: ASK_TYPES, value: { matchId, winner, nonce } };
}

/** Computes the digest that is signed of a request. */
export function digestOf({ domain, types, value }: SigningRequest): Hex {
  return TypedDataEncoder.hash(domain, types, value);
}

function domainOf(chainId: bigint, verifyingContract: string): TypedDataDomain {
  return { name: "Duello", version: "1", chainId, verifyingContract };
}

/**
 * Computes the record behind an action: keccak256 of `record 32 || seat 1 || action`. The record of nonce 0 is the base.
 * @param record Record before the action.
 */
export function nextRecord(record: Hex, seat: bigint, action: Hex): Hex {
  return hexOf(keccak(bytesOf(concat([record, toBeHex(seat, 1), action]))));
}

/** Returns the table that joining puts. @param turn Seat in turn. */
export function firstTable(base: Hex, turn: bigint): Table {
  return { base, word: base, nonce: 0, turn, poster: Seat.None };
}

/** Encodes `base 32 || word 32 || nonce 4 || turn 1 || poster 1`. */
export function encodeTable({ base, word, nonce, turn, poster }: Table): Hex {
  return concat([base, word, toBeHex(nonce, 4), toBeHex(turn, 1), toBeHex(poster, 1)]);
}

/** Decodes what `encodeTable` makes. @throws InputError for other than 70 bytes. */
export function decodeTable(data: Hex): Table {
  return tableIn(sized(data, "table", TABLE_BYTES));
}

/** Computes the hash of a table, which is the state of a match that is played away. */
export function tableHash(table: Table): Hex {
  return hexOf(keccak(bytesOf(encodeTable(table))));
}

/**
 * Returns the table behind a post.
 * @param poster Seat that posts.
 * @param state The state that is posted; left out: the one that stands on the table.
 */
export function tableAfter({ base, word, nonce, turn }: Table, poster: bigint, state?: SignedState): Table {
  return { base, word: state?.word ?? word, nonce: state?.nonce ?? nonce, turn: state?.turn ?? turn, poster };
}

/**
 * Encodes a post without the byte of its kind:
 * `table 70 || [nonce 4 || turn 1 || word 32 || record 32 || length 1 || signature 1 || signature 2]`.
 * @param state The state that is posted; left out: what stands on the table, while nobody has posted.
 */
export function encodePost(table: Table, state?: SignedState): Hex {
  if (!state) return encodeTable(table);
  const { nonce, turn, word, record, signature1, signature2 } = state;
  const length = bytesOf(signature1).length;
  return concat([
    encodeTable(table),
    toBeHex(nonce, 4),
    toBeHex(turn, 1),
    word,
    record,
    toBeHex(length, 1),
    signature1,
    signature2,
  ]);
}

/** Decodes what `encodePost` makes. @throws InputError for too few bytes. */
export function decodePost(data: Hex): { table: Table; state?: SignedState } {
  const bytes = sized(data, "post", TABLE_BYTES, Infinity);
  const table = tableIn(bytes);
  const rest = bytes.subarray(TABLE_BYTES);
  if (rest.length === 0) return { table };
  sized(rest, "posted state", STATE_BYTES, Infinity);
  const second = STATE_BYTES + rest[STATE_BYTES - 1];
  sized(rest, "posted state", second, Infinity);
  const state = {
    nonce: numberAt(rest, 0, 4),
    turn: BigInt(rest[4]),
    word: hexOf(rest.subarray(5, 5 + WORD_BYTES)),
    record: hexOf(rest.subarray(5 + WORD_BYTES, STATE_BYTES - 1)),
    signature1: hexOf(rest.subarray(STATE_BYTES, second)),
    signature2: hexOf(rest.subarray(second)),
  };
  return { table, state };
}

/**
 * Encodes the acceptance of a table without the byte of its kind: `table 70 || [action]`.
 * @param action Data of the accepting player's own action on the accepted state; left out: none.
 */
export function encodeAccept(table: Table, action: Hex = "0x"): Hex {
  return concat([encodeTable(table), action]);
}

/** Decodes what `encodeAccept` makes. @throws InputError for fewer than 70 bytes. */
export function decodeAccept(data: Hex): { table: Table; action?: Hex } {
  const bytes = sized(data, "acceptance", TABLE_BYTES, Infinity);
  if (bytes.length === TABLE_BYTES) return { table: tableIn(bytes) };
  return { table: tableIn(bytes), action: hexOf(bytes.subarray(TABLE_BYTES)) };
}

function tableIn(bytes: Uint8Array): Table {
  const nonce = 2 * WORD_BYTES;
  return {
    base: hexOf(bytes.subarray(0, WORD_BYTES)),
    word: hexOf(bytes.subarray(WORD_BYTES, nonce)),
    nonce: numberAt(bytes, nonce, 4),
    turn: BigInt(bytes[nonce + 4]),
    poster: BigInt(bytes[nonce + 5]),
  };
}

/**
 * Tells if a signature counts for a seat, by the arena's rules: 65 bytes by the player or by the key it has pledged, or
 * 130 bytes by any session key, the second half being the player's own appointment of that key.
 */
export function isSignedBy(digest: Hex, signature: Hex, { player, key, keyDigestOf }: SeatSigners): boolean {
  const bytes = bytesOf(signature).length;
  if (bytes === SIGNATURE_BYTES) {
    const signer = signerOf(digest, signature);
    return signer !== undefined && (signer === player || signer === key);
  }
  if (bytes !== SESSION_SIGNATURE_BYTES) return false;
  const session = signerOf(digest, dataSlice(signature, 0, SIGNATURE_BYTES));
  return session !== undefined && signerOf(keyDigestOf(session), dataSlice(signature, SIGNATURE_BYTES)) === player;
}

/**
 * Returns the address that signed a digest, by `r 32 || s 32 || v 1` with a low s and v 27 or 28; undefined if that is
 * no signature.
 */
export function signerOf(digest: Hex, signature: Hex): string | undefined {
  if (bytesOf(signature).length !== SIGNATURE_BYTES) return undefined;
  const [r, s] = [dataSlice(signature, 0, 32), dataSlice(signature, 32, 64)];
  const v = Number(dataSlice(signature, 64));
  if ((v !== 27 && v !== 28) || BigInt(s) > N / 2n) return undefined;
  try {
    return computeAddress(SigningKey.recoverPublicKey(digest, { r, s, v }));
  } catch {
    // No point of the curve has such a coordinate.
    return undefined;
  }
}

/** Returns the signers whose signatures count for a seat of a match. */
export function signersOf({ chainId, arena, matchId, players, keys }: AwayMatch, seat: bigint): SeatSigners {
  return {
    player: players[Number(seat) - 1],
    key: keys.find((pledge) => pledge.seat === seat)?.key,
    keyDigestOf: (key) => digestOf(appointmentRequest(chainId, arena, matchId, key)),
  };
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
  checkSignature(match, seat, digestOf(stateRequest(match.chainId, match.game, stateBehind(match.matchId, move))), {
    signature: move.signature,
    path: `${path}.signature`,
  });
  const signsBefore = before !== undefined && before.seat !== seat;
  if (!signsBefore && previous !== undefined) throw wrong("previous", "there is no state to sign before this one");
  if (!signsBefore) return;
  if (previous === undefined) throw wrong("previous", "left out");
  const state = stateBehind(match.matchId, before);
  checkSignature(match, seat, digestOf(stateRequest(match.chainId, match.game, state)), {
    signature: previous,
    path: `${path}.previous`,
  });
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

/** Finds the newest of `supportedStates`; undefined if there is none. */
export function newestPost(moves: Transcript, seat: bigint): SupportedState | undefined {
  return supportedStates(moves, seat).at(0);
}

/** Returns the state of a move with the signatures of both seats, in the order of the seats. */
export function signedState({ nonce, turn, word, record }: AwayMove, seat: bigint, own: Hex, others: Hex): SignedState {
  const [signature1, signature2] = seat === Seat.One ? [own, others] : [others, own];
  return { nonce, turn, word, record, signature1, signature2 };
}

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
    .map((line, i) => parseMessage(line, `${path}:${i + 1}`))
    .filter((message) => message.type === "move");
}
