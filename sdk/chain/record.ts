import type { Hex } from "../protocol/hex.js";
import type { Transcript } from "../protocol/away/messages.js";
import type { Terms } from "../protocol/terms.js";

/** The log that a game writes of a round. */
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

/** Key that a player has pledged for one match: it signs for the player off-chain. */
export interface Pledge {
  /** Seat of the player. */
  seat: bigint;
  /** Address of the key. */
  key: string;
}

/** Result of a match on which both players have agreed. */
export interface Agreed {
  /** Seat of the winner; None for a draw. */
  winner: bigint;
  /** Last time at which the agreement could be sent, in seconds since 1970. */
  until: bigint;
  /** Hash of the actions that were played off-chain; zero if none is meant. */
  record: Hex;
  signature1: Hex;
  signature2: Hex;
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
  /** Players whose stakes were taken, in the order in which they were. */
  funded: { seat: bigint; player: string }[];
  /** Data that player 1 created the match with. */
  createData: Hex;
  /** Data that player 2 joined with. */
  joinData?: Hex;
  /** Data of the actions, oldest first. */
  actions: { seat: bigint; data: Hex }[];
  /** Logs of the game, oldest first; none of a game that is not of the deployment. */
  logs: RoundLog[];
  /** Address of the named opponent, if this player has declined the offer. */
  declinedBy?: string;
  /** Keys that players have pledged for the match, oldest first. */
  keys: Pledge[];
  /** Result on which both players have agreed, if that ended the match. */
  agreement?: Agreed;
  /** Actions that were played off-chain, as somebody has shown them. They are not checked. */
  transcript?: Transcript;
  /** True if the actions were played off-chain: `virtualRecord` makes such a record. */
  isAway?: true;
  settlement?: Settlement;
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
  /**
   * True if the players have accepted a state that nobody has shown. Logs and result then end before that state, and so
   * does the position.
   */
  unshown?: true;
  /** Position that the arena must keep of the match, 32 bytes; zero once the game is over. */
  position: Hex;
}

/** Expected answer of a contract's view. */
export interface ExpectedAnswer {
  /** Name of the view. */
  view: string;
  args: readonly unknown[];
  answer: readonly unknown[];
}
