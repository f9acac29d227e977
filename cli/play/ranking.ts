import { firstRows } from "../../sdk/chain/index-page.js";
import type { IndexClient } from "../../sdk/chain/index-client.js";
import { standingsOf, winningsOf, type Standing, type Winnings } from "../../sdk/chain/ranking.js";
import { addressOfGame, gameNamed } from "../../sdk/games/list.js";
import { amountText } from "../../sdk/player/amounts.js";
import { readNumber } from "../../sdk/protocol/arguments.js";
import { InputError, oneOf } from "../../sdk/protocol/input.js";
import { MIN_OPPONENTS, pointsText } from "../../sdk/protocol/net-ranking.js";
import { textOf, type Flags, type PlayCommand } from "../shared/command/command.js";
import { CommandIndex, INDEX_OPTION } from "../shared/match/command-index.js";
import { ratedMatches } from "../shared/match/rated-matches.js";
import type { Result } from "../shared/command/output.js";
import type { CommandContext } from "../shared/command/context.js";
import { tableOf } from "../shared/command/table.js";

const LEGEND = [
  "Each pair of players counts once, however often they play: the one with more wins has the share of its wins less that of its losses in points, at most one, and the other has as many below zero.",
  `Only players who have met ${MIN_OPPONENTS} different opponents count, each pair of them; all points add up to zero.`,
];

/** Command that ranks players. */
export const ranking: readonly PlayCommand[] = [
  {
    usage: "ranking [game]",
    description:
      "rank the players of a game by their ratings, or in the zero-sum ranking, in which each pair of players counts once, so that a second account of one's own lifts nobody; or those of all games by what they have won of a token",
    examples: ["ranking pistols", "ranking --by winnings --token COIN"],
    options: [
      ["--by <order>", "rating, net for the zero-sum ranking, or winnings", "rating"],
      ["--token <token>", "token of the winnings: COIN, FIGHT or an address; FIGHT by default"],
      ["--limit <count>", "largest number of players", "20"],
      INDEX_OPTION,
    ],
    async run(context, [gameName], flags) {
      const by = readOrder(textOf(flags, "by")!);
      const limit = Number(readNumber(textOf(flags, "limit")!, "--limit", 1n, 10_000n));
      if (by === "winnings") return byWinnings(context, gameName, limit, flags);
      if (gameName === undefined) throw new InputError("game", `left out: a ranking by ${by} is of one game`);
      if (flags.token !== undefined) throw new InputError("--token", "only a ranking by winnings is of a token");
      return ofGame(context, gameName, by, limit, flags);
    },
  },
];

const ORDERS = ["rating", "net", "winnings"] as const;
type Order = (typeof ORDERS)[number];

function readOrder(written: string): Order {
  return oneOf(...ORDERS)(written, "--by");
}

async function ofGame(
  context: CommandContext,
  gameName: string,
  by: Exclude<Order, "winnings">,
  limit: number,
  flags: Flags,
): Promise<Result> {
  const game = gameNamed(gameName, context.games);
  const address = addressOfGame(game, context.addresses);
  const valueOf = ({ rating, net }: Standing) => (by === "rating" ? BigInt(rating) : net);
  const index = await CommandIndex.open(context, textOf(flags, "index"));
  const found = await index.ask((client) =>
    firstRows(limit, (paging) => (by === "rating" ? client.byRating(address, paging) : client.byNet(address, paging))),
  );
  const all = found?.rows.map(standingOf) ?? standingsOf(await ratedMatches(context), address);
  const ranked = placed(by === "net" ? all.filter(({ opponents }) => opponents >= MIN_OPPONENTS) : all, valueOf, limit);
  const isNet = by === "net";
  const nobody = isNet
    ? `Nobody has met ${MIN_OPPONENTS} different opponents in rated matches of ${game.name}.`
    : `Nobody has played a rated match of ${game.name}.`;
  const head = ["#", "player", isNet ? "points" : "rating", "wins", "losses", "draws", "opponents"];
  const rows = ranked.map(({ place, player, rating, net, wins, losses, draws, opponents }) =>
    [place, player, isNet ? pointsText(net) : rating, wins, losses, draws, opponents].map(String),
  );
  return {
    data: { game: game.name, by, source: index.source, standings: ranked },
    text: [
      ...(rows.length > 0 ? tableOf([head, ...rows], { isNumeric: (column) => column !== 1 }) : [nobody]),
      ...(isNet ? LEGEND : []),
      index.line,
    ],
  };
}

async function byWinnings(
  context: CommandContext,
  gameName: string | undefined,
  limit: number,
  flags: Flags,
): Promise<Result> {
  if (gameName !== undefined) throw new InputError(gameName, "a ranking by winnings is of all games: leave it out");
  const token = await context.tokens.read(textOf(flags, "token") ?? "FIGHT");
  const index = await CommandIndex.open(context, textOf(flags, "index"));
  const found = await index.ask((client) => firstRows(limit, (paging) => client.byWinnings(token.address, paging)));
  const all: Winnings[] =
    found?.rows.map(({ player, staked, won, net }) => ({ player, staked, won, net })) ??
    winningsOf(await ratedMatches(context), token.address);
  const ranked = placed(all, ({ net }) => net, limit);
  const head = ["#", "player", "net", "staked", "won"];
  const rows = ranked.map(({ place, player, net, staked, won }) => [
    String(place),
    player,
    ...[net, staked, won].map((amount) => amountText(amount, token)),
  ]);
  return {
    data: { by: "winnings", token, source: index.source, standings: ranked },
    text: [
      ...(rows.length > 0
        ? tableOf([head, ...rows], { isNumeric: (column) => column !== 1 })
        : [`Nobody has played a rated match in ${token.symbol}.`]),
      index.line,
    ],
  };
}

function standingOf(row: Awaited<ReturnType<IndexClient["byRating"]>>["rows"][number]): Standing {
  const { player, rating, wins, losses, draws, opponents, net } = row;
  return { player, rating, wins: Number(wins), losses: Number(losses), draws: Number(draws), opponents, net };
}

/** Ranks players, the best first; players with equal values share a place. */
function placed<S extends { player: string }>(
  standings: readonly S[],
  valueOf: (standing: S) => bigint,
  limit: number,
): ({ place: number } & S)[] {
  const sorted = [...standings].sort((a, b) => {
    const lead = valueOf(b) - valueOf(a);
    return lead === 0n ? (a.player < b.player ? -1 : 1) : lead < 0n ? -1 : 1;
  });
  const placeOf = (value: bigint) => sorted.findIndex((each) => valueOf(each) === value) + 1;
  return sorted.slice(0, limit).map((standing) => ({ place: placeOf(valueOf(standing)), ...standing }));
}
