import { otherSeat } from "../protocol/sides.js";
import { Seat } from "../protocol/status.js";
import { getCreateAddress, Interface } from "ethers";
import type { Hex } from "../protocol/hex.js";

/** Events of the channels contract. */
export const channelsAbi = new Interface([
  "event Opened(bytes32 indexed channelId, address indexed player1, address indexed player2, address key1, address key2, address token, uint256 feeBps, uint256 amount1, uint256 amount2, uint256 nonce, uint256 until)",
  "event PlayedUnder(bytes32 indexed channelId, address indexed game, bytes32 mode, uint256 stake1, uint256 stake2, uint256 clock, bool rated)",
  "event Played(bytes32 indexed channelId, uint256 indexed matchId, uint256 code, bytes32 position, bytes actions)",
  "event Challenged(bytes32 indexed channelId, uint256 indexed matchId, uint256 code, bytes32 position, bytes actions)",
  "event Balanced(bytes32 indexed channelId, uint256 nonce, uint256 amount1, uint256 amount2, uint256 house, bool closed)",
  "event Collected(address indexed token, uint256 amount)",
]);

/** Views of the channels contract. */
export const channelViews = new Interface([
  "function stateOf(bytes32 channelId) view returns (tuple(uint96 amount1, uint96 amount2, uint24 nonce, bool challenged, uint32 until))",
  "function sharesOf(address token) view returns (uint256)",
]);

/** Names of the events of the channels contract. */
export const channelEvents = ["Opened", "PlayedUnder", "Played", "Challenged", "Balanced", "Collected"] as const;

/** Position that the arena stores for a match that is over, but whose end must still be confirmed. */
export const OVER: Hex = `0x${"ff".repeat(32)}`;

/** Number of matches that an arena can number itself; the numbers of matches from channels are higher. */
export const ARENA_MATCHES = 2n ** 40n;

/** Facts about a transcript in an event of the channels contract. */
export interface TranscriptCode {
  winner: bigint;
  taker: bigint;
  /** True if the game refused the last action. */
  forfeit: boolean;
  /** True if the channel's player 2 has seat One. */
  swapped: boolean;
  /** Turn in the position where the transcript starts; None if the transcript starts from the offer. */
  turn: bigint;
  /** Number of the match in its channel. */
  nonce: number;
  /** New ratings of seats One and Two; zero if unrated. */
  ratings: readonly [bigint, bigint];
}

/**
 * Computes the address of an arena's channels contract: the first contract that the arena creates.
 * @example
 * ```ts
 * import { channelsOf } from "duello";
 *
 * channelsOf(addresses.Arena) === channelsAt.channels; // => true
 * ```
 */
export function channelsOf(arena: string): string {
  return getCreateAddress({ from: arena, nonce: 1 });
}

/** Returns whether a match comes from a channel, by its number. */
export function isFromChannel(matchId: bigint): boolean {
  return matchId >= ARENA_MATCHES;
}

/** Unpacks the `code` of `Played` and `Challenged`. */
export function unpackCode(code: bigint): TranscriptCode {
  const seat = (at: bigint) => (code >> at) & 3n;
  const bit = (at: bigint) => ((code >> at) & 1n) === 1n;
  return {
    winner: seat(0n),
    taker: seat(2n),
    forfeit: bit(4n),
    swapped: bit(5n),
    turn: seat(6n),
    nonce: Number((code >> 8n) & 0xffffffn),
    ratings: [(code >> 32n) & 0xffffffffn, (code >> 64n) & 0xffffffffn],
  };
}

/**
 * Returns the index of the refused action in a transcript: the last action of the losing seat. A message after that
 * action only shows that the opponent continued.
 */
export function refusedIn({ winner, turn }: TranscriptCode, count: number): number {
  const first = turn === Seat.None ? Seat.Two : turn;
  const isOfFirst = (count - 1) % 2 === 0;
  const isLast = (isOfFirst ? first : otherSeat(first)) === otherSeat(winner);
  return isLast || count === 1 ? count - 1 : count - 2;
}
