import { ZeroAddress } from "ethers";
import type { History } from "../chain/history.js";
import type { MatchRecord } from "../chain/record.js";
import { readRecord, readStakes } from "../chain/ladder.js";
import { troubleOf } from "../chain/trouble.js";
import type { Counters, Fought } from "../games/counters.js";
import { addressOfGame, deployedGames, findGame } from "../games/list.js";
import type { GameModule, OwnStats } from "../games/module.js";
import {
  applyResult,
  duelsOf,
  experienceOf,
  levelOf,
  resultsBy,
  type PlayerRecord,
  type Result,
  type Stakes,
} from "../protocol/ladder.js";
import { otherSide } from "../protocol/sides.js";

/** A player's rated duels at a game. */
export interface GameStats extends PlayerRecord {
  /** Name of the game. */
  game: string;
  duels: bigint;
  /** Level by experience, from 1. */
  level: bigint;
  /** Statistics that only this game keeps. */
  own?: OwnStats;
}

/** A player's rated matches with a token, at all games; amounts in the token's smallest unit. */
export interface TokenStats extends Stakes {
  /** Address of the token. */
  token: string;
  /** Amount won minus amount staked; negative for a loss. */
  net: bigint;
}

/** Statistics of a player. */
export interface PlayerStats {
  player: string;
  /** Block of the statistics. */
  block: number;
  games: GameStats[];
  tokens: TokenStats[];
}

/** Statistics of a character: its data, and its counters from battles. */
export interface CharacterStats {
  /** Name of the game. */
  game: string;
  id: bigint;
  /** Block of the counters. */
  block: number;
  /** The character's traits and rest, as the game describes them. */
  data: object;
  text: string;
  /** Reason why the character cannot fight now, e.g. because it is resting; undefined if it can. */
  obstacle?: string;
  counters: Counters;
}

/** Change of a player's record by a match. */
export interface PlayerChange {
  player: string;
  result: Result;
  /** Rating after the match. */
  rating: bigint;
  /** Experience gained by the result. */
  experience: bigint;
  /** Records before and after the match; undefined if pruned by the node, or if other matches ended in that block. */
  records?: { before: PlayerRecord; after: PlayerRecord };
}

/** Changes caused by a match. */
export interface MatchChanges {
  matchId: bigint;
  /** Name of the game; undefined for a game outside the deployment. */
  game?: string;
  /** Player 1 and player 2; empty if the match does not count for the ladder. */
  players: PlayerChange[];
  /** Counters of characters, by side and slot; empty without a battle. */
  characters: Fought[][];
}

/**
 * Reads a player's statistics, as of the latest block. Only views are called.
 * @param games Games; those that are not deployed are omitted.
 * @param tokens Addresses of tokens; defaults to the chain's coin and FIGHT.
 * @throws like the provider.
 * @example
 * ```ts
 * import { games, statsOf } from "duello";
 *
 * const { games: played } = await statsOf(history, games, alice);
 * for (const { game, rating, wins } of played) console.log(game, rating, wins);
 * ```
 */
export async function statsOf(
  history: History,
  games: readonly GameModule[],
  player: string,
  tokens: readonly string[] = [ZeroAddress, history.addresses.FightToken],
): Promise<PlayerStats> {
  const { addresses, provider } = history;
  const block = await provider.getBlockNumber();
  const ofGame = async (game: GameModule): Promise<GameStats> => {
    const [record, own] = await Promise.all([
      readRecord(history, addresses[game.contract], player, block),
      game.kept?.ofPlayers?.stats(player, history, block, addresses[game.contract]),
    ]);
    return {
      game: game.name,
      duels: duelsOf(record),
      level: levelOf(record.experience),
      ...record,
      ...(own && { own }),
    };
  };
  const ofToken = async (token: string): Promise<TokenStats> => {
    const { staked, won } = await readStakes(history, player, token, block);
    return { token, staked, won, net: won - staked };
  };
  const [ofGames, ofTokens] = await Promise.all([
    Promise.all(deployedGames(games, addresses).map(ofGame)),
    Promise.all(tokens.map(ofToken)),
  ]);
  return { player, block, games: ofGames, tokens: ofTokens };
}

/**
 * Reads the statistics of a character. If no contract keeps counters, all battles since the deployment are read.
 * @throws NeverMinted; Error for a game whose players own no characters.
 * @example
 * ```ts
 * import { characterStats, countersText, stockGame } from "duello";
 *
 * const { text, counters } = await characterStats(history, stockGame("auto-battler"), 42n);
 * console.log(text, countersText(counters));
 * ```
 */
export async function characterStats(history: History, game: GameModule, id: bigint): Promise<CharacterStats> {
  const { name, characters } = game;
  if (!characters) throw new Error(`Players of ${name} own no characters.`);
  const address = addressOfGame(game, history.addresses);
  const description = await characters.describe(id, history, address);
  const block = await history.provider.getBlockNumber();
  const [counters] = await characters.counters([id], history, block, address);
  return { game: name, id, block, ...description, counters };
}

/**
 * Finds the changes caused by a match: both players' records, if the node still has the state from before the match
 * ended, and the characters' counters. Undefined if the match is not over.
 * @param games Games whose characters are known.
 * @throws like the history.
 * @example
 * ```ts
 * import { changesIn, games } from "duello";
 *
 * const changes = await changesIn(await history.match(7n), history, games);
 * for (const { player, result, rating } of changes?.players ?? []) console.log(player, result, rating);
 * ```
 */
export async function changesIn(
  record: MatchRecord,
  history: History,
  games: readonly GameModule[],
): Promise<MatchChanges | undefined> {
  const { matchId, settlement, terms, player1, player2 } = record;
  if (!settlement) return undefined;
  const block = (await history.endOf(matchId))!;
  const game = findGame(terms.game, games, history.addresses);
  const characters = (await game?.characters?.fought(record, history)) ?? [];
  const common = { matchId, game: game?.name, characters };
  const ratings = [settlement.rating1, settlement.rating2];
  // After a match that counts, at least one rating is above zero.
  if (ratings.every((rating) => rating === 0n)) return { ...common, players: [] };
  const results = resultsBy(settlement.status);
  const addresses = [player1, player2!];
  const recordsAt = (at: number) => Promise.all(addresses.map((player) => pastRecord(history, terms.game, player, at)));
  const [before, after] = await Promise.all([recordsAt(block - 1), recordsAt(block)]);
  const players = addresses.map((player, side): PlayerChange => {
    const result = results[side];
    const change = { player, result, rating: ratings[side], experience: experienceOf(result) };
    const [own, other, then] = [before[side], before[otherSide(side)], after[side]];
    if (!own || !other || !then) return change;
    const expected = Object.entries(applyResult(own, other.rating, result, then.lastDuel));
    const isAlone = expected.every(([field, value]) => then[field as keyof PlayerRecord] === value);
    return isAlone ? { ...change, records: { before: own, after: then } } : change;
  });
  return { ...common, players };
}

/** Reads a record as of a block; undefined if the node has pruned that state. */
async function pastRecord(history: History, game: string, player: string, block: number) {
  return readRecord(history, game, player, block).catch((error: unknown) => {
    if (troubleOf(error)?.kind === "missing") return undefined;
    throw error;
  });
}
