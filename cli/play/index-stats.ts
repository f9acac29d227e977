import type { IndexClient } from "../../sdk/chain/index-client.js";
import type { IndexRow } from "../../sdk/chain/index-tables.js";
import { readRecord } from "../../sdk/chain/ladder.js";
import { troubleOf } from "../../sdk/chain/trouble.js";
import { addressOfGame } from "../../sdk/games/list.js";
import type { GameModule } from "../../sdk/games/module.js";
import type { PlayerRecord } from "../../sdk/protocol/ladder.js";
import { countPairs, MIN_OPPONENTS, pairKey, pointsText, type PairCounts } from "../../sdk/protocol/net-ranking.js";
import { timeText } from "../../sdk/protocol/text.js";
import { DAY } from "../../sdk/protocol/terms.js";
import { ratedMatches } from "../shared/match/rated-matches.js";
import type { CommandContext } from "../shared/command/context.js";

/** Maximum numbers of rating changes and of days that are shown. */
const MAX_CHANGES = 20;
const MAX_DAYS = 7;
/** Fields of a record in which an index may differ from the chain. */
const COMPARED = ["rating", "experience", "wins", "losses", "draws", "forfeits", "lastDuel"] as const;

/** Rated matches between two players in a game. */
export interface HeadToHead {
  game: string;
  wins: number;
  losses: number;
  draws: number;
}

/** Facts about a player in a game that only an index has. */
interface GameHistory {
  game: string;
  /** Number of different opponents in rated matches. */
  opponents: number;
  /** Points of the zero-sum ranking, in millionths. */
  net: bigint;
  /** Latest changes of the rating, oldest first. */
  ratings: Pick<IndexRow<"ratingChange">, "matchId" | "opponent" | "result" | "before" | "after" | "time">[];
  /** Latest days on which something happened in the game, the latest first. */
  days: Omit<IndexRow<"day">, "game">[];
}

/** Facts about a player that only an index has. */
interface PlayerHistory {
  games: GameHistory[];
  /** Sentence about the first value in which index and chain differ; undefined if there is none. */
  mismatch?: string;
}

/** Reads an index's facts about a player in some games. @throws IndexTrouble */
export async function historyByIndex(
  context: CommandContext,
  client: IndexClient,
  player: string,
  games: readonly GameModule[],
): Promise<PlayerHistory> {
  const named = games.map((game) => ({ game, address: addressOfGame(game, context.addresses) }));
  const { rows, block } = await client.recordsOf(
    player,
    named.map(({ address }) => address),
  );
  const histories = named.map(async ({ game, address }): Promise<GameHistory> => {
    const [ratings, days] = await Promise.all([
      client.ratings(player, address, { limit: MAX_CHANGES }),
      client.days(address, { limit: MAX_DAYS }),
    ]);
    const { opponents, net } = rows.find((row) => row.game === address) ?? { opponents: 0, net: 0n };
    return {
      game: game.name,
      opponents,
      net,
      ratings: ratings.rows.reverse().map(({ seat: _, game: __, player: ___, ...change }) => change),
      days: days.rows.map(({ game: _, ...day }) => day),
    };
  });
  const mismatches = named.map(async ({ game, address }) => {
    const record = await recordAt(context, address, player, block);
    const row = rows.find((each) => each.game === address);
    if (!record || (!row && record.lastDuel === 0n)) return undefined;
    const field = COMPARED.find((each) => BigInt(row?.[each] ?? 0n) !== record[each]);
    const [onChain, inIndex] = field ? [record[field], row?.[field] ?? "no record"] : [];
    return (
      field &&
      `The index disagrees with the chain: ${game.name}, ${field}: ${onChain} on the chain, ${inIndex} in the index, as of block ${block}.`
    );
  });
  const [found] = (await Promise.all(mismatches)).filter((each) => each !== undefined);
  return { games: await Promise.all(histories), ...(found !== undefined && { mismatch: found }) };
}

/** Counts the rated matches between two players, from an index or from all events. @throws IndexTrouble */
export async function headToHead(
  context: CommandContext,
  client: IndexClient | undefined,
  [player, other]: readonly [string, string],
  games: readonly GameModule[],
): Promise<HeadToHead[]> {
  const counted = client ? [] : await ratedMatches(context);
  const { low, high } = pairKey(player, other);
  const found = games.map(async (game): Promise<HeadToHead> => {
    const address = addressOfGame(game, context.addresses);
    const own = () => countPairs(counted.filter(({ terms }) => terms.game === address));
    const pair: PairCounts | undefined = client
      ? await client.headToHead(address, player, other)
      : own().find((each) => each.low === low && each.high === high);
    const { winsLow, winsHigh, draws } = pair ?? { winsLow: 0, winsHigh: 0, draws: 0 };
    const [wins, losses] = player === low ? [winsLow, winsHigh] : [winsHigh, winsLow];
    return { game: game.name, wins, losses, draws };
  });
  return Promise.all(found);
}

/** Describes an index's facts about a player, in lines. @param withDays True to describe the days too. */
export function historyLines({ games, mismatch }: PlayerHistory, withDays: boolean): string[] {
  return [
    ...games.flatMap(({ game, ratings, opponents, net, days }) => [
      ...(ratings.length > 0 ? [`${game}: ratings ${ratings[0].before}${ratings.map(changeText).join("")}`] : []),
      ...(opponents >= MIN_OPPONENTS ? [`${game}: zero-sum ranking ${pointsText(net)} of ${opponents} opponents`] : []),
      ...(withDays ? days.map((day) => `${game} on ${dayText(day)}`) : []),
    ]),
    ...(mismatch === undefined ? [] : [mismatch]),
  ];
}

/** Describes the rated matches against another player, in a line for each game. */
export function headToHeadLines(other: string, games: readonly HeadToHead[]): string[] {
  const met = games.filter(({ wins, losses, draws }) => wins + losses + draws > 0);
  if (met.length === 0) return [`No rated match against ${other}.`];
  return met.map(({ game, wins, losses, draws }) => {
    return `${game}: ${wins} won, ${losses} lost, ${draws} drawn against ${other}`;
  });
}

/** Reads a record as of a block; undefined if the node does not have that state. */
async function recordAt(
  { history }: CommandContext,
  game: string,
  player: string,
  block: number,
): Promise<PlayerRecord | undefined> {
  return readRecord(history, game, player, block).catch((error: unknown) => {
    if (troubleOf(error)?.kind === "missing") return undefined;
    throw error;
  });
}

function changeText({ matchId, after }: GameHistory["ratings"][number]): string {
  return `, ${after} (match ${matchId})`;
}

function dayText({ day, offers, joined, actions, ended, players }: GameHistory["days"][number]): string {
  const [date] = timeText(BigInt(day) * DAY).split(" ");
  return `${date}: ${offers} offered, ${joined} joined, ${actions} actions, ${ended} ended, ${players} players`;
}
