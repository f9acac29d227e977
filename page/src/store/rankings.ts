import {
  countedMatches,
  countPairs,
  MIN_OPPONENTS,
  NEWCOMER,
  resultsBy,
  standingsOf,
  winnerBy,
  winningsOf,
  type CountedMatch,
  type IndexRow,
  type Standing,
  type Winnings,
} from "duello";
import type { Chain } from "./chain.ts";
import { wasPlayed, type Ledger } from "./ledger.ts";

/** Player of a game, from an index or the events. */
export type RankedPlayer = Standing | IndexRow<"record">;

/** Numbers of wins and draws in a mode. */
export type ModeCounts = Pick<IndexRow<"mode">, "hash" | "wins1" | "wins2" | "draws">;

/** Rating of a player after a match, and its cause. */
export type RatingPoint = Pick<IndexRow<"ratingChange">, "matchId" | "opponent" | "before" | "after" | "result">;

/** Cache of the rated matches, by the state of the chain. */
const known = new WeakMap<Ledger, readonly CountedMatch[]>();

/** Lists the matches that have counted, in the order in which they ended. */
function counted({ archive, ledger }: Chain): readonly CountedMatch[] {
  const matches = known.get(ledger.value) ?? countedMatches(archive.value!.all);
  known.set(ledger.value, matches);
  return matches;
}

/** Ranks the players of a game by their ratings, the best first. @param game Address of the game. */
export function byRating(chain: Chain, game: string): Standing[] {
  return standingsOf(counted(chain), game).sort((a, b) => b.rating - a.rating);
}

/** Ranks the players of a game by their head-to-head points, the best first; omits players who do not count yet. */
export function byNet(chain: Chain, game: string): Standing[] {
  const standings = standingsOf(counted(chain), game).filter(({ opponents }) => opponents >= MIN_OPPONENTS);
  return standings.sort(byHigherNet);
}

/** Ranks players by their winnings of a token in rated matches, less their stakes. */
export function byWinnings(chain: Chain, token: string): Winnings[] {
  return winningsOf(counted(chain), token).sort(byHigherNet);
}

function byHigherNet(a: { net: bigint }, b: { net: bigint }): number {
  return a.net === b.net ? 0 : a.net < b.net ? 1 : -1;
}

/** Lists the tokens of rated matches. */
export function tokensOf(chain: Chain): string[] {
  return [...new Set(counted(chain).map(({ terms }) => terms.token))];
}

/** Counts how often each seat has won in the modes of a game. */
export function modesOf({ ledger }: Chain, game: string): ModeCounts[] {
  const modes = new Map<string, ModeCounts>();
  for (const match of ledger.value.newest()) {
    const { mode: hash } = match.terms;
    if (match.terms.game !== game || !wasPlayed(match)) continue;
    const counts = modes.get(hash) ?? { hash: match.terms.mode, wins1: 0, wins2: 0, draws: 0 };
    const end = (["draws", "wins1", "wins2"] as const)[Number(winnerBy(match.settlement!.status))];
    modes.set(hash, { ...counts, [end]: counts[end] + 1 });
  }
  return [...modes.values()];
}

/** Lists the ratings of a player in a game after each of its rated matches, the latest first. */
export function courseOf(chain: Chain, player: string, game: string): RatingPoint[] {
  const points: RatingPoint[] = [];
  let before = Number(NEWCOMER.rating);
  for (const { matchId, terms, player1, player2, settlement } of counted(chain)) {
    if (terms.game !== game || ![player1, player2].includes(player)) continue;
    const [result1, result2] = resultsBy(settlement.status);
    const own =
      player === player1
        ? { opponent: player2, after: Number(settlement.rating1), result: result1 }
        : { opponent: player1, after: Number(settlement.rating2), result: result2 };
    points.push({ matchId, before, ...own });
    before = own.after;
  }
  return points.reverse();
}

/** Counts the rated matches between two players, game by game. */
export function headToHead(chain: Chain, one: string, other: string): IndexRow<"pair">[] {
  const both = [one, other];
  const matches = counted(chain).filter(({ player1, player2 }) => both.includes(player1) && both.includes(player2));
  return [...new Set(matches.map(({ terms }) => terms.game))].flatMap((game) => {
    const own = matches.filter(({ terms }) => terms.game === game);
    return countPairs(own).map((pair) => ({ game, ...pair }));
  });
}
