import { ChannelCourse } from "./channel-course.js";
import { netStandings } from "../protocol/net-ranking.js";
import { winnerBy } from "../protocol/status.js";
import type { Hex } from "../protocol/hex.js";
import { termsHash, type Terms } from "../protocol/terms.js";
import type { AnyEvent, Events } from "./events.js";
import { factsAfter, hasCounted, type MatchFacts } from "./match-facts.js";

/** A match that counted for the ladder. */
export interface CountedMatch {
  matchId: bigint;
  terms: Terms;
  player1: string;
  player2: string;
  /** Seat of the winner; 0 for a draw. */
  winner: number;
  settlement: Events["Settled"];
}

/** Record of a player at a game, from its rated matches. */
export interface Standing {
  player: string;
  rating: number;
  wins: number;
  losses: number;
  draws: number;
  /** Number of different opponents. */
  opponents: number;
  /** Points of the zero-sum ranking, in millionths. */
  net: bigint;
}

/** Sums of a player's rated matches in a token. */
export interface Winnings {
  player: string;
  staked: bigint;
  won: bigint;
  /** `won` minus `staked`. */
  net: bigint;
}

/**
 * Selects the matches that counted for the ladder, channel matches included, in the order in which they ended.
 * @example
 * ```ts
 * import { countedMatches } from "duello";
 *
 * countedMatches(archive.all); // => []
 * ```
 */
export function countedMatches(events: Iterable<AnyEvent>): CountedMatch[] {
  const known = new Map<Hex, Terms>();
  const open = new Map<bigint, MatchFacts>();
  const counted: CountedMatch[] = [];
  const course = new ChannelCourse();
  for (const event of [...events].flatMap((each) => course.take(each))) {
    const { name, args } = event;
    if (name === "TermsAdded") known.set(termsHash(args.terms), args.terms);
    if (!("matchId" in args)) continue;
    const { matchId } = args;
    const facts = factsAfter(event, open.get(matchId));
    if (!facts) continue;
    open.set(matchId, facts);
    if (name !== "Settled") continue;
    open.delete(matchId);
    const terms = known.get(facts.termsHash)!;
    if (!hasCounted(facts, terms)) continue;
    const { player1, player2 } = facts;
    const winner = Number(winnerBy(args.status));
    counted.push({ matchId, terms, player1, player2: player2!, winner, settlement: args });
  }
  return counted;
}

/**
 * Derives the records of all players of a game, in no particular order.
 * @param game Address of the game.
 * @example
 * ```ts
 * import { countedMatches, standingsOf } from "duello";
 *
 * const counted = countedMatches(archive.all); // a match without stakes does not count
 * standingsOf(counted, addresses.TicTacToe); // => []
 * ```
 */
export function standingsOf(counted: readonly CountedMatch[], game: string): Standing[] {
  const matches = counted.filter(({ terms }) => terms.game === game);
  const standings = new Map<string, Standing>();
  const nets = netStandings(matches);
  for (const { player1, player2, winner, settlement } of matches) {
    for (const [seat, player, rating] of [
      [1, player1, settlement.rating1],
      [2, player2, settlement.rating2],
    ] as const) {
      const { opponents, net } = nets.get(player)!;
      const none = { wins: 0, losses: 0, draws: 0 };
      const before = standings.get(player) ?? { player, rating: 0, ...none, opponents, net };
      const result = winner === 0 ? "draws" : winner === seat ? "wins" : "losses";
      standings.set(player, { ...before, rating: Number(rating), [result]: before[result] + 1 });
    }
  }
  return [...standings.values()];
}

/**
 * Derives the stakes and winnings of all players in a token from rated matches, in no particular order.
 * @example
 * ```ts
 * import { countedMatches, winningsOf } from "duello";
 *
 * const counted = countedMatches(archive.all); // a match without stakes does not count
 * winningsOf(counted, addresses.FightToken); // => []
 * ```
 */
export function winningsOf(counted: readonly CountedMatch[], token: string): Winnings[] {
  const sums = new Map<string, Winnings>();
  for (const { terms, player1, player2, settlement } of counted) {
    if (terms.token !== token) continue;
    for (const [player, stake, paid] of [
      [player1, terms.stake1, settlement.paid1],
      [player2, terms.stake2, settlement.paid2],
    ] as const) {
      const { staked, won } = sums.get(player) ?? { staked: 0n, won: 0n };
      sums.set(player, { player, staked: staked + stake, won: won + paid, net: won + paid - staked - stake });
    }
  }
  return [...sums.values()];
}
