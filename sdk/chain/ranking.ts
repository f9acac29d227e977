import { netStandings } from "../protocol/net-ranking.js";
import { winnerBy } from "../protocol/status.js";
import type { Hex } from "../protocol/hex.js";
import { termsHash, type Terms } from "../protocol/terms.js";
import type { AnyEvent, Events } from "./events.js";

/** A match that has counted for the ladder. */
export interface CountedMatch {
  matchId: bigint;
  terms: Terms;
  player1: string;
  player2: string;
  /** Seat of the winner; 0 for a draw. */
  winner: number;
  settlement: Events["Settled"];
}

/** Record of a player at a game, as its rated matches tell it. */
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
  /** Won less staked. */
  net: bigint;
}

/** Selects the matches that have counted for the ladder, in the order in which they ended, from all events. */
export function countedMatches(events: Iterable<AnyEvent>): CountedMatch[] {
  const known = new Map<Hex, Terms>();
  const open = new Map<bigint, { terms: Terms; player1: string; player2?: string }>();
  const counted: CountedMatch[] = [];
  for (const { name, args } of events) {
    if (name === "TermsAdded") known.set(termsHash(args.terms), args.terms);
    if (name === "Created") open.set(args.matchId, { terms: known.get(args.termsHash)!, player1: args.player1 });
    if (name === "Joined") open.get(args.matchId)!.player2 = args.player2;
    if (name === "Funded" && args.seat === 2n) open.get(args.matchId)!.player2 = args.player;
    if (name !== "Settled") continue;
    const match = open.get(args.matchId)!;
    open.delete(args.matchId);
    // One of the ratings after a match that counts is above zero.
    if (args.rating1 === 0n && args.rating2 === 0n) continue;
    const { terms, player1, player2 } = match;
    const winner = Number(winnerBy(args.status));
    counted.push({ matchId: args.matchId, terms, player1, player2: player2!, winner, settlement: args });
  }
  return counted;
}

/** Derives the records of all players of a game, in no order. @param game Address of the game. */
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
      const before = standings.get(player) ?? { player, rating: 0, wins: 0, losses: 0, draws: 0, opponents, net };
      const result = winner === 0 ? "draws" : winner === seat ? "wins" : "losses";
      standings.set(player, { ...before, rating: Number(rating), [result]: before[result] + 1 });
    }
  }
  return [...standings.values()];
}

/** Derives what all players have staked and won of a token in rated matches, in no order. */
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
