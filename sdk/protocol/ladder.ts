import { saturated } from "./word.js";

/** A player's rated duels at one game, as the arena keeps them. */
export interface PlayerRecord {
  rating: bigint;
  /** Level = experience / 100 + 1. */
  experience: bigint;
  wins: bigint;
  /** Losses by the clock included. */
  losses: bigint;
  draws: bigint;
  /** Losses by the clock. */
  forfeits: bigint;
  /** Time of the last rated duel, in seconds. */
  lastDuel: bigint;
}

/** How a duel ended for one player; a forfeit is a loss by the clock. */
export type Result = "win" | "loss" | "draw" | "forfeit";

/** The record of a player without rated duels. */
export const NEWCOMER: PlayerRecord = {
  rating: 1000n,
  experience: 0n,
  wins: 0n,
  losses: 0n,
  draws: 0n,
  forfeits: 0n,
  lastDuel: 0n,
};

const WIDTH = 32;

/**
 * What a win adds and a loss takes: clamp(20 * (400 + opponent - own) / 400, 0, 40), floored.
 * Both are ratings just before the settlement.
 */
export function ratingChange(own: bigint, opponent: bigint): bigint {
  const change = (20n * (400n + opponent - own)) / 400n;
  return change < 0n ? 0n : change > 40n ? 40n : change;
}

/** The record after one more duel, at `time` in seconds, against somebody of this rating. */
export function applyResult(record: PlayerRecord, opponent: bigint, result: Result, time: bigint): PlayerRecord {
  const { rating, experience, wins, losses, draws, forfeits } = record;
  const change = ratingChange(rating, opponent);
  const gains = { win: 50n, loss: 20n, draw: 20n, forfeit: 0n };
  const next = { ...record, experience: capped(experience + gains[result]), lastDuel: time };
  if (result === "draw") return { ...next, draws: capped(draws + 1n) };
  if (result === "win") return { ...next, rating: capped(rating + change), wins: capped(wins + 1n) };
  const lost = { ...next, rating: change > rating ? 0n : rating - change, losses: capped(losses + 1n) };
  return result === "loss" ? lost : { ...lost, forfeits: capped(forfeits + 1n) };
}

function capped(value: bigint): bigint {
  return saturated(value, WIDTH);
}
