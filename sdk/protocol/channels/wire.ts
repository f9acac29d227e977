import { isHexString, type SigningKey } from "ethers";
import { address } from "../address.js";
import { hexOf, sized } from "../bytes.js";
import type { Hex } from "../hex.js";
import { boolean, bytes32, decimal, InputError, integer, object, oneOf, text, type Reader } from "../input.js";
import { SIGNATURE_BYTES, signatureOf, signerOf } from "../signing.js";
import { MAX_FEE_BPS, termsHash, type Terms } from "../terms.js";
import { digestOf, type SigningRequest } from "../typed-data.js";
import {
  balanceRequest,
  moveRequest,
  NO_PLACE,
  offerRequest,
  openRequest,
  type Channel,
  type ChannelBalance,
  type ChannelMove,
  type ChannelOffer,
  type ChannelsAt,
  type Opening,
} from "./messages.js";

/** Number of a player in a channel. */
export type ChannelPlayerNumber = 1 | 2;

/** Consent of a player to open a channel, signed by the player's wallet. */
export interface OpenMessage extends Opening {
  type: "open";
  player: ChannelPlayerNumber;
  signature: Hex;
}

/** Offer of a match, with all data that the opponent needs to compute the position. */
export interface OfferMessage extends Omit<ChannelOffer, "terms"> {
  type: "offer";
  terms: Terms;
  /** Data that would create the match on chain. */
  data: Hex;
  signature: Hex;
}

/** Move of a match; an empty action confirms that the last action was seen. */
export interface MoveMessage extends ChannelMove {
  type: "move";
  channel: Hex;
  /** Number of the match. */
  nonce: number;
  signature: Hex;
}

/** Consent of a player to a balance. */
export interface BalanceMessage extends ChannelBalance {
  type: "balance";
  player: ChannelPlayerNumber;
  signature: Hex;
}

/** Message between the two players of a channel. */
export type ChannelMessage = OpenMessage | OfferMessage | MoveMessage | BalanceMessage;

/** Maximum bytes of an action. Transcripts have room for more, but no game of this project needs that. */
export const MAX_ACTION_BYTES = 2048;

/** Maximum characters of a message as JSON. */
export const MAX_MESSAGE_LENGTH = 6144;

/** Maximum bytes of the signature of a wallet that is a contract. */
const MAX_WALLET_SIGNATURE_BYTES = 1024;

const uint32 = integer(0, 2 ** 32 - 1);
const count = integer(1, 2 ** 32 - 1);
const nonce = integer(0, 2 ** 24 - 1);
const amount = decimal(96);
const player: Reader<ChannelPlayerNumber> = (value, path) => (integer(1, 2)(value, path) === 1 ? 1 : 2);
const signature = hexBytes(SIGNATURE_BYTES, SIGNATURE_BYTES);

/** Reads a house fee. @throws InputError */
export const readFee: Reader<bigint> = (value, path) => BigInt(integer(0, Number(MAX_FEE_BPS))(value, path));

const clock: Reader<bigint> = (value, path) => BigInt(uint32(value, path));

/** Reads terms from parsed JSON, in the form that `plainText` writes. @throws InputError */
export const readTerms: Reader<Terms> = object({
  game: address,
  stake1: amount,
  token: address,
  stake2: amount,
  mode: bytes32,
  clock,
  feeBps: readFee,
  rated: boolean,
});

const readers = {
  open: object({
    type: oneOf("open"),
    channel: bytes32,
    nonce,
    amount1: amount,
    amount2: amount,
    until: uint32,
    player,
    signature: hexBytes(1, MAX_WALLET_SIGNATURE_BYTES),
  }),
  offer: object({
    type: oneOf("offer"),
    channel: bytes32,
    nonce,
    terms: readTerms,
    swapped: boolean,
    position: bytes32,
    until: uint32,
    data: hexBytes(1, MAX_ACTION_BYTES),
    signature,
  }),
  move: object({
    type: oneOf("move"),
    channel: bytes32,
    nonce,
    offer: bytes32,
    count,
    prev: bytes32,
    action: hexBytes(0, MAX_ACTION_BYTES),
    place: bytes32,
    signature,
  }),
  balance: object({
    type: oneOf("balance"),
    channel: bytes32,
    nonce,
    amount1: amount,
    amount2: amount,
    close: boolean,
    until: uint32,
    player,
    signature,
  }),
};

const readChannelFields = object({
  player1: address,
  key1: address,
  player2: address,
  key2: address,
  token: address,
  feeBps: readFee,
});

/** Reads a channel from parsed JSON. @throws InputError */
export const readChannel: Reader<Channel> = (value, path) => {
  const channel = readChannelFields(value, path);
  if (channel.player1 === channel.player2) {
    throw new InputError(path === "" ? "player2" : `${path}.player2`, `${channel.player2} is player 1 too`);
  }
  return channel;
};

/** Reads a message of any type from parsed JSON, in the form that `channelMessageText` writes. @throws InputError */
export const readChannelMessage: Reader<ChannelMessage> = (value, path) => {
  const type = (value as { type?: unknown } | null | undefined)?.type;
  const which = oneOf("open", "offer", "move", "balance")(type, path === "" ? "type" : `${path}.type`);
  const message = readers[which](value, path);
  if (message.type === "move" && message.action === "0x" && message.place !== NO_PLACE) {
    const where = path === "" ? "place" : `${path}.place`;
    throw new InputError(where, `${message.place} is not zero, though there is no action`);
  }
  return message;
};

/** Parses a message from JSON. @param path Name of the text in errors. @throws InputError */
export function parseChannelMessage(json: string, path: string): ChannelMessage {
  if (json.length > MAX_MESSAGE_LENGTH) {
    throw new InputError(path, `${json.length} characters are more than ${MAX_MESSAGE_LENGTH}`);
  }
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    throw new InputError(path, "not JSON");
  }
  return readChannelMessage(value, path);
}

/**
 * Writes a message as a line of JSON: equal messages give equal lines.
 * @example
 * ```ts
 * import { channelIdOf, channelMessageText } from "duello";
 *
 * const close = { close: true, until: 1_893_456_000, amount1: 60n, amount2: 40n } as const;
 * const unsigned = { type: "balance", player: 1, channel: channelIdOf(channel), nonce: 3, ...close } as const;
 * channelMessageText({ ...unsigned, signature: "0x" }).startsWith('{"amount1":"60"'); // => true
 * ```
 */
export function channelMessageText(message: ChannelMessage): string {
  return plainText(message);
}

/** Writes an object as a line of JSON: equal objects give equal lines. */
export function plainText(value: object): string {
  return JSON.stringify(value, plain);
}

/** Returns an offer in the form that is signed. */
export function offerIn({ channel, nonce, terms, swapped, position, until }: OfferMessage): ChannelOffer {
  return { channel, nonce, terms: termsHash(terms), swapped, position, until };
}

/** Returns the typed data that the sender of a message signs. */
export function messageRequest(at: ChannelsAt, message: Unsigned<ChannelMessage>): SigningRequest {
  switch (message.type) {
    case "open":
      return openRequest(at, message);
    case "offer":
      return offerRequest(at, offerIn(message as OfferMessage));
    case "move":
      return moveRequest(at, message);
    case "balance":
      return balanceRequest(at, message);
  }
}

/** Message before it is signed. */
export type Unsigned<M extends ChannelMessage> = M extends ChannelMessage ? Omit<M, "signature"> : never;

/** Signs a message with a session key. */
export function signedWith<M extends ChannelMessage>(key: SigningKey, at: ChannelsAt, message: Unsigned<M>): M {
  const signature = signatureOf(key, messageRequest(at, message));
  return { ...message, signature } as unknown as M;
}

/** Sender of a message. */
export interface Sender {
  player: ChannelPlayerNumber;
  /**
   * False for a consent to open that the player's account has not signed: the account may be a contract, and only the
   * chain can check its signature.
   */
  isChecked: boolean;
}

/** Returns the player whose key signed a message, or whom a consent names (see `isChecked`); undefined if no key signed. */
export function senderOf(at: ChannelsAt, channel: Channel, message: ChannelMessage): Sender | undefined {
  const signer = signerOf(digestOf(messageRequest(at, message)), message.signature);
  if (message.type === "open") {
    const { player } = message;
    return { player, isChecked: signer === (player === 1 ? channel.player1 : channel.player2) };
  }
  const player = signer === channel.key1 ? 1 : signer === channel.key2 ? 2 : undefined;
  if (player === undefined || ("player" in message && message.player !== player)) return undefined;
  return { player, isChecked: true };
}

/** Creates a reader of `min` to `max` bytes. */
export function hexBytes(min: number, max: number): Reader<Hex> {
  return (value, path) => {
    const written = text(value, path);
    // Ethers accepts hex text in several forms, but messages have only one.
    if (!isHexString(written, true)) throw new InputError(path, `${JSON.stringify(written)} is not 0x and hex bytes`);
    return hexOf(sized(written, path, min, max));
  };
}

/** Sorts fields by their names. Amounts have 96 bits, so they become decimal text; other numbers stay numbers. */
function plain(name: string, value: unknown): unknown {
  if (typeof value === "bigint") return ["clock", "feeBps"].includes(name) ? Number(value) : String(value);
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}
