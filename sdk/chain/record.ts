import type { Channel } from "../protocol/channels/messages.js";
import type { Hex } from "../protocol/hex.js";
import type { TranscriptCode } from "./channels.js";
import type { Terms } from "../protocol/terms.js";

/** A game's log of a round. */
export interface RoundLog {
  /** From 1. */
  round: bigint;
  /** Entries of the log, 256-bit words that the game packs. */
  entries: bigint[];
}

/** End of a match, from its last event; amounts in the token's smallest unit. */
export interface Settlement {
  /** A value of `Status`. */
  status: bigint;
  /** Paid to player 1. */
  paid1: bigint;
  /** Paid to player 2. */
  paid2: bigint;
  /** Paid to the house. */
  house: bigint;
  /** New rating of player 1; zero if the match does not count for the ladder. */
  rating1: bigint;
  /** New rating of player 2; zero if the match does not count for the ladder. */
  rating2: bigint;
}

/** Record of a match, from its events. */
export interface MatchRecord {
  chainId: bigint;
  matchId: bigint;
  terms: Terms;
  /** Address of the challenger. */
  player1: string;
  /** Address of the player in the second seat; undefined if nobody has taken it. */
  player2?: string;
  /** Players whose stakes were taken, in the order of payment. */
  funded: { seat: bigint; player: string }[];
  /** Data that player 1 created the match with. */
  createData: Hex;
  /** Data that player 2 joined with. */
  joinData?: Hex;
  /** Data of the actions, oldest first. */
  actions: { seat: bigint; data: Hex }[];
  /** Logs of the game, oldest first; empty for a game outside the deployment. */
  logs: RoundLog[];
  /** Address of the named opponent, if this player has declined the offer. */
  declinedBy?: string;
  /** Set in the record of a channel match. */
  channel?: {
    /** Position in the match's offer, 32 bytes; undefined while the match is offered. */
    offered?: Hex;
    /** Data of the answer, in a record that ends before the answer and serves only to compute the offered position. */
    answer?: Hex;
    /** The match as the chain shows it. Until a replay unfolds it, the record has no other data about actions. */
    shown?: ShownMatch;
  };
  settlement?: Settlement;
}

/** Facts about a channel match that events show. */
export interface ShownMatch {
  channel: Channel;
  /** Number, result and base of the match, as `unpackCode` reads them. */
  code: TranscriptCode;
  /** Position, 32 bytes, where the actions start: the position of the offer or of the base. */
  position: Hex;
  /** Data of the actions that were submitted on chain, oldest first. */
  brought: Hex[];
  /** Turn and position at the start in the arena; undefined for a match that was settled in its channel. */
  started?: { turn: bigint; position: Hex };
}

/** Replayed match: the outcome that a game's engine computes from a record. */
export interface Replayed {
  /** Expected logs of the game. */
  logs: RoundLog[];
  /** Seats of the winner and of the player who takes the pot; undefined if the game did not end the match. */
  result?: { winner: bigint; taker: bigint };
  /**
   * Seats in turn once player 2 had joined, and after each action; None once the game was over, undefined if unknown.
   */
  turns: (bigint | undefined)[];
  /** Position that the arena must store for the match, 32 bytes; zero once the game is over. */
  position: Hex;
}

/** Expected answer of a contract's view. */
export interface ExpectedAnswer {
  /** Name of the view. */
  view: string;
  args: readonly unknown[];
  answer: readonly unknown[];
}
