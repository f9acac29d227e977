/** Rated matches between two players of a game, low and high by address. */
export interface PairCounts {
  winsLow: number;
  winsHigh: number;
  draws: number;
}

/** Number of different opponents that both players of a pair must meet before the pair counts. */
export const MIN_OPPONENTS = 3;

/** Points of a player who has won all matches of a pair, in millionths of a point. */
const POINT = 1_000_000n;

/**
 * Computes the points, in millionths, of the lower player of a pair in the zero-sum ranking; the higher player has the
 * negative of these points. They are the share of wins minus the share of losses. However often two players meet, one
 * gains at most one point, and the opponent loses as much.
 * @example
 * ```ts
 * import { pairPoints } from "duello";
 *
 * pairPoints({ winsLow: 3, winsHigh: 1, draws: 0 }); // => 500_000n
 * ```
 */
export function pairPoints({ winsLow, winsHigh, draws }: PairCounts): bigint {
  return (POINT * BigInt(winsLow - winsHigh)) / BigInt(winsLow + winsHigh + draws);
}

/**
 * Formats points in millionths with their sign, e.g. `+1.500`.
 * @example
 * ```ts
 * import { pointsText } from "duello";
 *
 * pointsText(1_500_000n); // => "+1.500"
 * ```
 */
export function pointsText(points: bigint): string {
  return `${points > 0n ? "+" : ""}${(Number(points) / Number(POINT)).toFixed(3)}`;
}

/**
 * Returns two players as a pair: `low` is the address that sorts first as lower-case text.
 * @example
 * ```ts
 * import { pairKey } from "duello";
 *
 * pairKey(alice, bob); // => { low: bob, high: alice }
 * ```
 */
export function pairKey(one: string, other: string): { low: string; high: string } {
  return one.toLowerCase() < other.toLowerCase() ? { low: one, high: other } : { low: other, high: one };
}

/** A rated match that has been played to its end. */
export interface RatedMatch {
  player1: string;
  player2: string;
  /** Seat of the winner; 0 for a draw. */
  winner: number;
}

/** Place of a player in the zero-sum ranking of a game. */
export interface NetStanding {
  /** Number of different opponents. */
  opponents: number;
  /** Points in millionths, zero for a player who has not met enough opponents. */
  net: bigint;
}

/**
 * Counts the matches of a game by pairs of players.
 * @example
 * ```ts
 * import { countPairs } from "duello";
 *
 * const [pair] = countPairs([{ player1: alice, player2: bob, winner: 1 }]);
 * [pair.low, pair.high, pair.winsHigh]; // => [bob, alice, 1]
 * ```
 */
export function countPairs(matches: Iterable<RatedMatch>): (PairCounts & { low: string; high: string })[] {
  const pairs = new Map<string, PairCounts & { low: string; high: string }>();
  for (const { player1, player2, winner } of matches) {
    const { low, high } = pairKey(player1, player2);
    const key = `${low} ${high}`;
    const pair = pairs.get(key) ?? { low, high, winsLow: 0, winsHigh: 0, draws: 0 };
    pairs.set(key, pair);
    if (winner === 0) pair.draws++;
    else if ((winner === 1) === (player1 === low)) pair.winsLow++;
    else pair.winsHigh++;
  }
  return [...pairs.values()];
}

/**
 * Ranks the players of a game by all its rated matches.
 * @returns Standings by player; their points add up to zero.
 * @example
 * ```ts
 * import { netStandings } from "duello";
 *
 * const standings = netStandings([{ player1: alice, player2: bob, winner: 1 }]);
 * standings.get(alice); // => { opponents: 1, net: 0n }
 * ```
 */
export function netStandings(matches: Iterable<RatedMatch>): Map<string, NetStanding> {
  const pairs = countPairs(matches);
  const standings = new Map<string, NetStanding>();
  for (const player of pairs.flatMap(({ low, high }) => [low, high])) {
    const { opponents } = standings.get(player) ?? { opponents: 0 };
    standings.set(player, { opponents: opponents + 1, net: 0n });
  }
  for (const pair of pairs) {
    const [low, high] = [standings.get(pair.low)!, standings.get(pair.high)!];
    if (low.opponents < MIN_OPPONENTS || high.opponents < MIN_OPPONENTS) continue;
    const points = pairPoints(pair);
    low.net += points;
    high.net -= points;
  }
  return standings;
}
