import { isForfeit, Seat, winnerBy } from "./status.js";
import { saturated } from "./word.js";

/** A player's rated duels at a game, as the arena stores them. */
export interface PlayerRecord {
  rating: bigint;
  /** Points; the level is experience / 100 + 1. */
  experience: bigint;
  wins: bigint;
  /** All losses, including those by the clock. */
  losses: bigint;
  draws: bigint;
  /** Losses by the clock. */
  forfeits: bigint;
  /** Time of the last rated duel, in seconds. */
  lastDuel: bigint;
}

/** Sums of a player's rated matches in one token, as the arena stores them. */
export interface Stakes {
  /** Sum of the stakes of finished matches. */
  staked: bigint;
  /** Sum of the payments of those matches to the player, including returned stakes. */
  won: bigint;
}

/** Result of a duel for one player; a forfeit is a loss by the clock. */
export type Result = "win" | "loss" | "draw" | "forfeit";

/** Record of a player without rated duels. */
export const NEWCOMER: PlayerRecord = {
  rating: 1000n,
  experience: 0n,
  wins: 0n,
  losses: 0n,
  draws: 0n,
  forfeits: 0n,
  lastDuel: 0n,
};

/** Stakes of a player without rated duels. */
export const NO_STAKES: Stakes = { staked: 0n, won: 0n };

/** Rating difference at which the expected score reaches 1. */
const ELO_SCALE = 400n;
/** Maximum change of a rating in one duel, Elo's K. */
const K_FACTOR = 40n;
/** Bits of each field of a record. */
const WIDTH = 32;
/** Bits of each sum of stakes. */
const STAKES_WIDTH = 128;
const LEVEL_EXPERIENCE = 100n;
const EXPERIENCE: Readonly<Record<Result, bigint>> = { win: 50n, loss: 20n, draw: 20n, forfeit: 0n };

/**
 * Computes the rating that a win adds and a loss takes, rounded down:
 * clamp(40 * (400 + opponent - own) / 800, 0, 40).
 * @param own Rating of the player just before the settlement.
 * @param opponent Rating of the opponent just before the settlement.
 * @example
 * ```ts
 * import { ratingChange } from "duello";
 *
 * ratingChange(1000n, 1000n); // => 20n
 * ratingChange(1200n, 1000n); // => 10n
 * ```
 */
export function ratingChange(own: bigint, opponent: bigint): bigint {
  const change = (K_FACTOR * (ELO_SCALE + opponent - own)) / (2n * ELO_SCALE);
  if (change < 0n) return 0n;
  return change > K_FACTOR ? K_FACTOR : change;
}

/**
 * Computes a record after one more duel.
 * @param opponent Rating of the opponent just before the settlement.
 * @param time Time of the settlement, in seconds since 1970.
 * @example
 * ```ts
 * import { applyResult, NEWCOMER } from "duello";
 *
 * const { rating, experience, wins } = applyResult(NEWCOMER, 1000n, "win", 1_893_456_000n);
 * [rating, experience, wins]; // => [1020n, 50n, 1n]
 * ```
 */
export function applyResult(record: PlayerRecord, opponent: bigint, result: Result, time: bigint): PlayerRecord {
  const { rating, experience, wins, losses, draws, forfeits } = record;
  const change = ratingChange(rating, opponent);
  const next = { ...record, experience: capped(experience + EXPERIENCE[result]), lastDuel: time };
  if (result === "draw") return { ...next, draws: capped(draws + 1n) };
  if (result === "win") return { ...next, rating: capped(rating + change), wins: capped(wins + 1n) };
  const lost = { ...next, rating: change > rating ? 0n : rating - change, losses: capped(losses + 1n) };
  return result === "loss" ? lost : { ...lost, forfeits: capped(forfeits + 1n) };
}

/** Adds a match to the sums of stakes, which are capped at the largest value that the arena can store. */
export function addStakes(before: Stakes, { staked, won }: Stakes): Stakes {
  return {
    staked: saturated(before.staked + staked, STAKES_WIDTH),
    won: saturated(before.won + won, STAKES_WIDTH),
  };
}

/**
 * Returns the number of duels in a record; the losses include forfeits.
 * @example
 * ```ts
 * import { duelsOf, NEWCOMER } from "duello";
 *
 * duelsOf({ ...NEWCOMER, wins: 3n, losses: 2n, draws: 1n }); // => 6n
 * ```
 */
export function duelsOf({ wins, losses, draws }: PlayerRecord): bigint {
  return wins + losses + draws;
}

/**
 * Returns the results of player 1 and player 2 from the status of a match that was played.
 * @example
 * ```ts
 * import { resultsBy, Status } from "duello";
 *
 * resultsBy(Status.P1Win); // => ["win", "loss"]
 * resultsBy(Status.P2WinInactive); // => ["forfeit", "win"]
 * ```
 */
export function resultsBy(status: bigint): [Result, Result] {
  const winner = winnerBy(status);
  if (winner === Seat.None) return ["draw", "draw"];
  const lost = isForfeit(status) ? "forfeit" : "loss";
  return winner === Seat.One ? ["win", lost] : [lost, "win"];
}

/**
 * Returns the experience gained by a duel.
 * @example
 * ```ts
 * import { experienceOf } from "duello";
 *
 * experienceOf("win"); // => 50n
 * ```
 */
export function experienceOf(result: Result): bigint {
  return EXPERIENCE[result];
}

/**
 * Returns a player's level for its experience.
 * @example
 * ```ts
 * import { levelOf } from "duello";
 *
 * levelOf(250n); // => 3n
 * ```
 */
export function levelOf(experience: bigint): bigint {
  return experience / LEVEL_EXPERIENCE + 1n;
}

/** Caps a value at the largest one that a field holds. */
function capped(value: bigint): bigint {
  return saturated(value, WIDTH);
}
