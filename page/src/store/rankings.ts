import {
  countPairs,
  MIN_OPPONENTS,
  netStandings,
  NEWCOMER,
  resultsBy,
  winnerBy,
  type IndexRow,
  type RatedMatch,
} from "duello";
import { wasPlayed, type Ledger, type MatchSummary } from "./ledger.ts";

/** Player of a game, as rankings show it. */
export type RankedPlayer = Pick<
  IndexRow<"record">,
  "player" | "rating" | "wins" | "losses" | "draws" | "opponents" | "net"
>;

/** A player's stakes in a token. */
export type StakeSums = Pick<IndexRow<"stake">, "player" | "token" | "staked" | "won" | "net">;

/** Ends of matches in a mode. */
export type ModeCounts = Pick<IndexRow<"mode">, "hash" | "wins1" | "wins2" | "draws">;

/** Rating of a player after a match, and how it came to that. */
export type RatingPoint = Pick<IndexRow<"ratingChange">, "matchId" | "opponent" | "before" | "after" | "result">;

/** Rated matches of two players at a game. */
export type PairRow = IndexRow<"pair">;

type RatedSummary = MatchSummary & Required<Pick<MatchSummary, "settlement" | "player2">>;

/** Lists the rated matches that are over, in the order in which they ended. @param game Address; all games if left out */
function ratedMatches(ledger: Ledger, game?: string): RatedSummary[] {
  return ledger
    .endings()
    .filter((match): match is RatedSummary => wasRated(match) && (game === undefined || match.terms.game === game));
}

/** Tells if a match has counted: one of the ratings after it is above zero then. */
function wasRated({ settlement, player2 }: MatchSummary): boolean {
  return settlement !== undefined && player2 !== undefined && settlement.rating1 + settlement.rating2 > 0n;
}

function ratedMatch({ player1, player2, settlement }: RatedSummary): RatedMatch {
  return { player1, player2, winner: Number(winnerBy(settlement.status)) };
}

/** Tells of both seats: player and opponent, result, rating after the match, stake and payment. */
function seatsOf({ player1, player2, terms, settlement }: RatedSummary) {
  const { status, rating1, rating2, paid1, paid2 } = settlement;
  const [result1, result2] = resultsBy(status);
  const [after1, after2] = [Number(rating1), Number(rating2)];
  return [
    { player: player1, opponent: player2, result: result1, after: after1, stake: terms.stake1, paid: paid1 },
    { player: player2, opponent: player1, result: result2, after: after2, stake: terms.stake2, paid: paid2 },
  ] as const;
}

const COUNTERS = { win: "wins", loss: "losses", forfeit: "losses", draw: "draws" } as const;

/** Lists the players of a game with their records, in no order. */
function playersOf(ledger: Ledger, game: string): RankedPlayer[] {
  const matches = ratedMatches(ledger, game);
  const standings = netStandings(matches.map(ratedMatch));
  const players = new Map<string, RankedPlayer>();
  for (const { player, result, after } of matches.flatMap(seatsOf)) {
    const fresh = { player, rating: 0, wins: 0n, losses: 0n, draws: 0n, ...standings.get(player)! };
    const before = players.get(player) ?? fresh;
    const counter = COUNTERS[result];
    players.set(player, { ...before, rating: after, [counter]: before[counter] + 1n });
  }
  return [...players.values()];
}

/** Ranks the players of a game by their ratings, the best first. */
export function byRating(ledger: Ledger, game: string): RankedPlayer[] {
  return playersOf(ledger, game).sort((a, b) => b.rating - a.rating);
}

/** Ranks the players of a game by their points against each other, the best first; those who count. */
export function byNet(ledger: Ledger, game: string): RankedPlayer[] {
  const counting = playersOf(ledger, game).filter(({ opponents }) => opponents >= MIN_OPPONENTS);
  return counting.sort((a, b) => descending(a.net, b.net));
}

/** Ranks players by what they have won of a token in rated matches, less their stakes. */
export function byWinnings(ledger: Ledger, token: string): StakeSums[] {
  const sums = new Map<string, StakeSums>();
  const matches = ratedMatches(ledger).filter(({ terms }) => terms.token === token);
  for (const { player, stake, paid } of matches.flatMap(seatsOf)) {
    const before = sums.get(player) ?? { staked: 0n, won: 0n };
    const [staked, won] = [before.staked + stake, before.won + paid];
    sums.set(player, { player, token, staked, won, net: won - staked });
  }
  return [...sums.values()].sort((a, b) => descending(a.net, b.net));
}

/** Lists the tokens of rated matches. */
export function tokensOf(ledger: Ledger): string[] {
  return [...new Set(ratedMatches(ledger).map(({ terms }) => terms.token))];
}

/** Counts how often each seat has won in the modes of a game. */
export function modesOf(ledger: Ledger, game: string): ModeCounts[] {
  const modes = new Map<string, ModeCounts>();
  for (const match of ledger.endings()) {
    const { mode: hash } = match.terms;
    if (match.terms.game !== game || !wasPlayed(match)) continue;
    const counts = modes.get(hash) ?? { hash, wins1: 0, wins2: 0, draws: 0 };
    const end = (["draws", "wins1", "wins2"] as const)[Number(winnerBy(match.settlement!.status))];
    modes.set(hash, { ...counts, [end]: counts[end] + 1 });
  }
  return [...modes.values()];
}

/** Lists the ratings of a player at a game after each of its rated matches, the latest first. */
export function courseOf(ledger: Ledger, player: string, game: string): RatingPoint[] {
  const points: RatingPoint[] = [];
  let before = Number(NEWCOMER.rating);
  for (const match of ratedMatches(ledger, game)) {
    const own = seatsOf(match).find((seat) => seat.player === player);
    if (!own) continue;
    const { opponent, after, result } = own;
    points.push({ matchId: match.matchId, opponent, before, after, result });
    before = after;
  }
  return points.reverse();
}

/** Counts the rated matches between two players, game by game. */
export function headToHead(ledger: Ledger, one: string, other: string): PairRow[] {
  const both = [one, other];
  const matches = ratedMatches(ledger).filter(({ player1, player2 }) => both.includes(player1) && both.includes(player2));
  return [...new Set(matches.map(({ terms }) => terms.game))].flatMap((game) => {
    const own = matches.filter(({ terms }) => terms.game === game);
    return countPairs(own.map(ratedMatch)).map((pair) => ({ game, ...pair }));
  });
}

function descending(a: bigint, b: bigint): number {
  return a === b ? 0 : a < b ? 1 : -1;
}
