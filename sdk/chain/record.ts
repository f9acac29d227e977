import type { Hex } from "../protocol/hex.js";
import type { Terms } from "../protocol/terms.js";

/** One event of a game: what happened in a round. */
export interface RoundLog {
  round: bigint;
  entries: bigint[];
}

/** How a match ended, as its last event says; amounts in the token's smallest unit. */
export interface Settlement {
  /** As in `Status`. */
  status: bigint;
  paid1: bigint;
  paid2: bigint;
  house: bigint;
  /** New ratings; zero if unrated. */
  rating1: bigint;
  rating2: bigint;
}

/** Everything the events say of one match. */
export interface MatchRecord {
  chainId: bigint;
  matchId: bigint;
  terms: Terms;
  player1: string;
  /** Whoever took the second seat; undefined if nobody did. */
  player2?: string;
  /** The players whose stakes were taken, by seat. */
  funded: { seat: bigint; player: string }[];
  createData: Hex;
  joinData?: Hex;
  actions: { seat: bigint; data: Hex }[];
  /** None of a game that is not of the deployment. */
  logs: RoundLog[];
  settlement?: Settlement;
}

/**
 * What a game's engine makes of a record: the logs that must have been written and, if the game ended it, how; and what
 * must be left.
 */
export interface Replayed {
  logs: RoundLog[];
  /** As in `Seat`; undefined if the game did not end the match. */
  result?: { winner: bigint; taker: bigint };
  /** Whose turn it was once player 2 had joined, and after each action, as in `Seat`; None once the game was over. */
  turns: bigint[];
  /** What the game keeps of the match. */
  expectedAnswer: ExpectedAnswer;
}

/** What a view must answer. */
export interface ExpectedAnswer {
  view: string;
  args: readonly unknown[];
  answer: readonly unknown[];
}
