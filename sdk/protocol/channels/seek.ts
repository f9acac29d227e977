import { ZeroAddress, ZeroHash, type SigningKey } from "ethers";
import { address } from "../address.js";
import { SIGNATURE_BYTES, signatureOf, signerOf } from "../signing.js";
import { decimal, InputError, integer, object, optional, type Reader } from "../input.js";
import { termsHash, type Terms } from "../terms.js";
import { digestOf, type SigningRequest } from "../typed-data.js";
import { requestOf, typesOf, type Channel, type ChannelsAt } from "./messages.js";
import { hexBytes, readFee, readTerms } from "./wire.js";
import type { Hex } from "../hex.js";

/**
 * Search for an opponent, to open a channel or to play a match in an open one, signed by the player's session key. A
 * false `player` is useless: the named player's wallet must consent to open, and in an open channel that player's key
 * is known.
 */
export interface Seek {
  player: string;
  /** Address of the player's session key. */
  key: string;
  /** Address of the player that may answer; zero for anybody. */
  opponent: string;
  /** Address of the token; zero for the chain's coin. */
  token: string;
  /** House fee, in basis points of the pot. */
  feeBps: bigint;
  /** Amount that the player would lock, in the token's smallest unit. */
  amount: bigint;
  /** Amount that the opponent would lock. */
  otherAmount: bigint;
  /** Time until which the channel lasts, in seconds since 1970. After it, anybody may close the channel. */
  until: number;
  /** Terms of the match that the player would play first. */
  terms?: Terms;
  /** Number of the match that the terms are for, in an open channel; undefined to seek a new channel. */
  match?: number;
  /** Time until which the search is valid, in seconds since 1970. */
  expires: number;
  /** Signature of the session key. */
  signature: Hex;
}

/** Search without the player, the expiry and the signature. */
export type Search = Omit<Seek, "player" | "key" | "expires" | "signature">;

/** Maximum seconds for which a search is valid; a player that is still waiting renews it. */
export const SEEK_SECONDS = 120;

/** Maximum seconds for which an answer to a stranger's search may lock money: a little more than a month. */
const MAX_LOCKED_SECONDS = 31 * 86_400;

/** Seconds by which the channel of a mirrored search may end later, since that search may be newer. */
const LATER = 3600;

/** Maximum length in characters of a search as JSON. */
export const MAX_SEEK_LENGTH = 2048;

const SEEK_TYPES = typesOf(
  "Seek(address player,address key,address opponent,address token,uint16 feeBps,uint96 amount,uint96 otherAmount,uint32 until,bytes32 terms,uint24 match,uint32 expires)",
);

const uint32 = integer(0, 2 ** 32 - 1);

const readFields = object({
  player: address,
  key: address,
  opponent: address,
  token: address,
  feeBps: readFee,
  amount: decimal(96),
  otherAmount: decimal(96),
  until: uint32,
  terms: optional(readTerms, undefined),
  match: optional(integer(1, 2 ** 24 - 1), undefined),
  expires: uint32,
  signature: hexBytes(SIGNATURE_BYTES, SIGNATURE_BYTES),
});

/** Reads a search from parsed JSON, in the form that `plainText` writes. @throws InputError */
export const readSeek: Reader<Seek> = (value, path) => {
  const seek = readFields(value, path);
  if (seek.player === seek.opponent) {
    throw new InputError(path === "" ? "opponent" : `${path}.opponent`, `${seek.opponent} is the player itself`);
  }
  return seek;
};

/** Returns the typed data that a session key signs to search for an opponent. */
export function seekRequest(at: ChannelsAt, { terms, match = 0, ...seek }: Omit<Seek, "signature">): SigningRequest {
  return requestOf(at, SEEK_TYPES, { ...seek, terms: terms === undefined ? ZeroHash : termsHash(terms), match });
}

/**
 * Signs a search with the session key that it names.
 * @example
 * ```ts
 * import { signedSeek } from "duello";
 *
 * const wanted = { ...search, player: alice, key: channel.key1, expires: 1_893_000_000 };
 * signedSeek(aliceKey, channelsAt, wanted).signature; // => "0x14f25e73…"
 * ```
 */
export function signedSeek(key: SigningKey, at: ChannelsAt, seek: Omit<Seek, "signature">): Seek {
  return { ...seek, signature: signatureOf(key, seekRequest(at, seek)) };
}

/** Returns whether the session key that a search names has signed it. */
export function isSignedSeek(at: ChannelsAt, { signature, ...seek }: Seek): boolean {
  return signerOf(digestOf(seekRequest(at, seek)), signature) === seek.key;
}

/** Returns whether a player may answer a search. */
export function isSoughtIn({ player, opponent }: Seek, answering: string): boolean {
  return player !== answering && (opponent === ZeroAddress || opponent === answering);
}

/**
 * Returns whether an answer to a search would lock money for too long.
 * @param now Time of the chain, in seconds
 * @example
 * ```ts
 * import { locksTooLong } from "duello";
 *
 * const now = 1_890_000_000;
 * locksTooLong({ until: now + 7 * 86_400 }, now); // => false
 * locksTooLong({ until: now + 90 * 86_400 }, now); // => true
 * ```
 */
export function locksTooLong({ until }: Pick<Seek, "until">, now: number): boolean {
  return until > now + MAX_LOCKED_SECONDS;
}

/** Returns whether another player's search mirrors the amounts, and its channel ends at most an hour later. */
export function isMirrored(own: Amounts, other: Amounts): boolean {
  const isSame = other.amount === own.otherAmount && other.otherAmount === own.amount;
  return isSame && other.until <= own.until + LATER;
}

type Amounts = Pick<Seek, "amount" | "otherAmount" | "until">;

/**
 * Returns the channel between the player of a search, as player 1, and the player that answers it.
 * @example
 * ```ts
 * import { channelOf } from "duello";
 *
 * channelOf(seek, bob, channel.key2); // => channel
 * ```
 */
export function channelOf({ player, key, token, feeBps }: Seek, player2: string, key2: string): Channel {
  return { player1: player, key1: key, player2, key2, token, feeBps };
}
