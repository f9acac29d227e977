import { mode as modes, pair as pairs, ratingChange, record as records, stake as stakes } from "../ponder.schema.js";
import type { Settlement } from "../../sdk/chain/record.js";
import { Seat, isForfeit, winnerBy } from "../../sdk/protocol/status.js";
import {
  addStakes,
  applyResult,
  NEWCOMER,
  NO_STAKES,
  resultsBy,
  type Result,
  type Stakes,
} from "../../sdk/protocol/ladder.js";
import { MIN_OPPONENTS, pairKey, pairPoints } from "../../sdk/protocol/net-ranking.js";
import { otherSide } from "../../sdk/protocol/sides.js";
import type { Db } from "./db.js";

/** A match that was played to its end. */
export interface Ended {
  matchId: bigint;
  game: string;
  mode: string;
  token: string;
  stake1: bigint;
  stake2: bigint;
  player1: string;
  player2: string;
  /** True if both players have signed its result. */
}

type PlayerRow = typeof records.$inferSelect;

/** Counts the result of a match for its mode. */
export async function countForMode(db: Db, { game, mode }: Ended, { status }: Settlement): Promise<void> {
  const winner = winnerBy(status);
  const [wins1, wins2, draws] = [Seat.One, Seat.Two, Seat.None].map((seat) => Number(winner === seat));
  const forfeits = Number(isForfeit(status));
  await db
    .insert(modes)
    .values({ game, hash: mode, wins1, wins2, draws, forfeits })
    .onConflictDoUpdate((row) => ({
      wins1: row.wins1 + wins1,
      wins2: row.wins2 + wins2,
      draws: row.draws + draws,
      forfeits: row.forfeits + forfeits,
    }));
}

/** Rates a match that counts for the ladder. */
export async function rate(db: Db, match: Ended, settlement: Settlement, time: bigint): Promise<void> {
  const { matchId, game, token, player1, player2 } = match;
  const players = [player1, player2];
  const results = resultsBy(settlement.status);
  const ratings = [settlement.rating1, settlement.rating2];
  const before = await Promise.all(players.map((player) => recordOf(db, game, player)));
  for (const [side, player] of players.entries()) {
    const { rating, experience, wins, losses, draws, forfeits, lastDuel } = before[side];
    const own = { rating: BigInt(rating), experience, wins, losses, draws, forfeits, lastDuel };
    const after = applyResult(own, BigInt(before[otherSide(side)].rating), results[side], time);
    const row = { ...after, rating: Number(ratings[side]) };
    await db.update(records, { game, player }).set(row);
    await db.insert(ratingChange).values({
      matchId,
      seat: side + 1,
      game,
      player,
      opponent: players[otherSide(side)],
      result: results[side],
      before: rating,
      after: row.rating,
      time,
    });
  }
  await countPair(db, game, players, results);
  await countStakes(db, player1, token, match.stake1, settlement.paid1);
  await countStakes(db, player2, token, match.stake2, settlement.paid2);
}

/** Finds the record of a player, or creates it. */
async function recordOf(db: Db, game: string, player: string): Promise<PlayerRow> {
  const known = await db.find(records, { game, player });
  if (known) return known;
  const fresh = { ...NEWCOMER, rating: Number(NEWCOMER.rating), opponents: 0, firstOpponents: [], net: 0n };
  return db.insert(records).values({ game, player, ...fresh });
}

/** Counts a match between two players, and moves the points of the zero-sum ranking between them. */
async function countPair(db: Db, game: string, players: readonly string[], results: readonly Result[]): Promise<void> {
  const key = { game, ...pairKey(players[0], players[1]) };
  const before = await db.find(pairs, key);
  const isFirst = players[0] === key.low;
  const [low, high] = isFirst ? results : [...results].reverse();
  const counts = { winsLow: Number(low === "win"), winsHigh: Number(high === "win"), draws: Number(low === "draw") };
  const after = await db
    .insert(pairs)
    .values({ ...key, ...counts })
    .onConflictDoUpdate((row) => ({
      winsLow: row.winsLow + counts.winsLow,
      winsHigh: row.winsHigh + counts.winsHigh,
      draws: row.draws + counts.draws,
    }));
  if (before) {
    if (await areEstablished(db, game, players)) {
      await movePoints(db, after, pairPoints(after) - pairPoints(before));
    }
    return;
  }
  for (const [side, player] of players.entries()) await meet(db, game, player, players[otherSide(side)]);
  // `meet` counts only pairs with earlier opponents.
  if (await areEstablished(db, game, players)) await bringIn(db, after);
}

/** Records a new opponent of a player. Once the player has met enough opponents, its pairs count. */
async function meet(db: Db, game: string, player: string, opponent: string): Promise<void> {
  const { opponents, firstOpponents } = (await db.find(records, { game, player }))!;
  const isSettled = opponents + 1 >= MIN_OPPONENTS;
  const first = isSettled ? [] : [...firstOpponents, opponent];
  await db.update(records, { game, player }).set({ opponents: opponents + 1, firstOpponents: first });
  // The caller handles the pair with the new opponent, once both players have met enough opponents.
  if (opponents + 1 !== MIN_OPPONENTS) return;
  for (const other of firstOpponents) {
    if (await areEstablished(db, game, [other]))
      await bringIn(db, (await db.find(pairs, { game, ...pairKey(player, other) }))!);
  }
}

/** Returns whether each of some players has met as many opponents as the zero-sum ranking requires. */
async function areEstablished(db: Db, game: string, players: readonly string[]): Promise<boolean> {
  for (const player of players) {
    if ((await db.find(records, { game, player }))!.opponents < MIN_OPPONENTS) return false;
  }
  return true;
}

async function bringIn(db: Db, pair: typeof pairs.$inferSelect): Promise<void> {
  await movePoints(db, pair, pairPoints(pair));
}

async function movePoints(db: Db, { game, low, high }: typeof pairs.$inferSelect, points: bigint): Promise<void> {
  if (points === 0n) return;
  await db.update(records, { game, player: low }).set((row) => ({ net: row.net + points }));
  await db.update(records, { game, player: high }).set((row) => ({ net: row.net - points }));
}

async function countStakes(db: Db, player: string, token: string, staked: bigint, won: bigint): Promise<void> {
  const after = (before: Stakes) => {
    const sums = addStakes(before, { staked, won });
    return { ...sums, net: sums.won - sums.staked };
  };
  await db
    .insert(stakes)
    .values({ player, token, ...after(NO_STAKES) })
    .onConflictDoUpdate(after);
}
