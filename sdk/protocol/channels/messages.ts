import type { Hex } from "../hex.js";
import { hexOf, WORD_BYTES } from "../bytes.js";
import { hashWords, numberOf } from "../hash.js";
import { structHashOf, type SigningRequest } from "../typed-data.js";

/** Channel between two players: their addresses and session keys, the token and the fee. */
export interface Channel {
  player1: string;
  /** Address of player 1's session key, which signs all messages of player 1 except `Open`. */
  key1: string;
  player2: string;
  /** Address of player 2's session key. */
  key2: string;
  /** Address of the token; zero for the chain's coin. */
  token: string;
  /** House fee, in basis points of the pot. */
  feeBps: bigint;
}

/** Returns the address of a player's session key in a channel. */
export function sessionKeyOf({ key1, key2 }: Pick<Channel, "key1" | "key2">, player: 1 | 2): string {
  return player === 1 ? key1 : key2;
}

/** The contract and chain for which messages are signed. */
export interface ChannelsAt {
  chainId: bigint;
  /** Address of the channels contract. */
  channels: string;
}

/** Opening of a channel, which both players' wallets sign. Amounts are in the token's smallest unit. */
export interface Opening {
  /** Channel id, 32 bytes. */
  channel: Hex;
  /** Number of the first match. */
  nonce: number;
  amount1: bigint;
  amount2: bigint;
  /** Time until which the channel lasts, in seconds since 1970. After it, anybody may close the channel. */
  until: number;
}

/** Offer of a match, which is the match's first message. Its position is the game's position after `create`. */
export interface ChannelOffer {
  channel: Hex;
  /** Number of the match. */
  nonce: number;
  /** Hash of the terms, 32 bytes. */
  terms: Hex;
  /** True if the channel's player 2 has seat One. */
  swapped: boolean;
  /** Position, 32 bytes, that seat Two answers. */
  position: Hex;
  /** Time until which the match may be submitted on chain, in seconds since 1970. */
  until: number;
}

/** Message of a match after its offer. */
export interface ChannelMove {
  /** Hash of the offer, 32 bytes. */
  offer: Hex;
  /** Number of the message, from 1. */
  count: number;
  /** Hash of the previous message, 32 bytes. */
  prev: Hex;
  /** Data of the action; empty to confirm that the last action was seen. */
  action: Hex;
  /** Hash of turn and position after the action, as `placeOf` computes it; zero if the message contains no place. */
  place: Hex;
}

/** Balance of a channel before its next match, which both players sign. */
export interface ChannelBalance {
  channel: Hex;
  /** Number of the next match. */
  nonce: number;
  amount1: bigint;
  amount2: bigint;
  /** True to close the channel and pay both players. */
  close: boolean;
  /** Time until which the balance is valid, in seconds since 1970. */
  until: number;
}

/** `until` of a message that is valid while its channel is open. */
export const NO_END = 2 ** 32 - 1;

/** `place` of a move that contains no place. */
export const NO_PLACE: Hex = `0x${"00".repeat(WORD_BYTES)}`;

const OPEN_TYPES = typesOf("Open(bytes32 channel,uint24 nonce,uint96 amount1,uint96 amount2,uint32 until)");
const OFFER_TYPES = typesOf(
  "Offer(bytes32 channel,uint24 nonce,bytes32 terms,bool swapped,bytes32 position,uint32 until)",
);
const MOVE_TYPES = typesOf("Move(bytes32 offer,uint32 count,bytes32 prev,bytes action,bytes32 place)");
const BALANCE_TYPES = typesOf(
  "Balance(bytes32 channel,uint24 nonce,uint96 amount1,uint96 amount2,bool close,uint32 until)",
);

/**
 * Computes the id of a channel: keccak256(abi.encode(channel)).
 * @throws RangeError for an address that is not 20 bytes long.
 * @example
 * ```ts
 * import { channelIdOf } from "duello";
 *
 * channelIdOf(channel); // => "0xb855086b…"
 * ```
 */
export function channelIdOf({ player1, key1, player2, key2, token, feeBps }: Channel): Hex {
  return hexOf(hashWords(...[player1, key1, player2, key2, token].map(numberOf), feeBps));
}

/**
 * Computes the arena's number for a channel match.
 * @example
 * ```ts
 * import { channelIdOf, channelMatchIdOf } from "duello";
 *
 * const number = channelMatchIdOf(channelIdOf(channel), 1);
 * number > 2n ** 128n; // => true
 * ```
 */
export function channelMatchIdOf(channelId: Hex, nonce: number): bigint {
  return BigInt(hexOf(hashWords(channelId, nonce)));
}

/** Computes the `place` of a move: keccak256(abi.encode(turn, position)) of the state after its action. */
export function placeOf(turn: bigint, position: Hex): Hex {
  return hexOf(hashWords(turn, position));
}

/** Computes the struct hash of an offer, which its moves contain. */
export function offerHashOf(offer: ChannelOffer): Hex {
  return structHashOf(OFFER_TYPES, offer);
}

/** Computes the struct hash of a move, which the next message contains. */
export function moveHashOf(move: ChannelMove): Hex {
  return structHashOf(MOVE_TYPES, move);
}

/** Returns the typed data that a player's wallet signs to open a channel. */
export function openRequest(at: ChannelsAt, opening: Opening): SigningRequest {
  return requestOf(at, OPEN_TYPES, opening);
}

/** Returns the typed data that seat One's key signs to offer a match. */
export function offerRequest(at: ChannelsAt, offer: ChannelOffer): SigningRequest {
  return requestOf(at, OFFER_TYPES, offer);
}

/** Returns the typed data that a seat's key signs to act in a match, or to confirm that it has seen the last action. */
export function moveRequest(at: ChannelsAt, move: ChannelMove): SigningRequest {
  return requestOf(at, MOVE_TYPES, move);
}

/** Returns the typed data that both players' keys sign to agree on a balance. */
export function balanceRequest(at: ChannelsAt, balance: ChannelBalance): SigningRequest {
  return requestOf(at, BALANCE_TYPES, balance);
}

/** Returns a request to sign a struct in the domain of the channels contract. */
export function requestOf(
  { chainId, channels }: ChannelsAt,
  types: SigningRequest["types"],
  value: object,
): SigningRequest {
  const domain = { name: "Duello Channels", version: "1", chainId, verifyingContract: channels };
  return { domain, types, value: { ...value } };
}

/** Returns the EIP-712 types of a struct from its encoded form, e.g. "Key(uint256 matchId,address key)". */
export function typesOf(encoded: string): SigningRequest["types"] {
  const [name, fields] = encoded.slice(0, -1).split("(");
  return {
    [name]: fields.split(",").map((field) => {
      const [type, fieldName] = field.split(" ");
      return { name: fieldName, type };
    }),
  };
}

/** Bits of a number that count the matches of one opening. */
const MATCH_BITS = 14;

/** Returns whether two match numbers belong to the same opening of a channel. */
export function areOfOneOpening(one: number, other: number): boolean {
  return one >> MATCH_BITS === other >> MATCH_BITS;
}
