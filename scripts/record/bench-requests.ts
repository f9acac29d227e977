import type { IndexClient } from "../../sdk/chain/index-client.js";
import type { Addresses } from "../../sdk/chain/addresses.js";
import { games } from "../../sdk/games/index.js";
import { addressMadeOf } from "../../sdk/player/event-writer.js";
import { pairKey } from "../../sdk/protocol/net-ranking.js";
import { Status } from "../../sdk/protocol/status.js";

/** Number of times that each request is sent, and places of the median and of the slowest percent among their times. */
const REQUESTS = 101;
const MEDIAN = 50;
const P99 = 99;

/** Rows of a list of the page, and of a command. */
const PAGE = 50;
const LISTED = 100;
/** Changes of a rating that the page draws. */
const COURSE = 200;

/** Requests, by what they ask for; each runs once for each of many pairs of players. */
type Requests = Record<string, (player: string, other: string, matchId: bigint) => Promise<unknown>>;

/** Lists the requests of the commands `list`, `ranking`, `stats` and `watch`, of the page, and of the agent. */
function requestsOf(client: IndexClient, { FightToken, ...addresses }: Addresses): Requests {
  const [{ contract }] = games;
  const game = addresses[contract];
  const all = games.map((each) => addresses[each.contract]);
  const over = [Status.P1Win, Status.P2Win, Status.P1WinInactive, Status.P2WinInactive, Status.Draw];
  const offered = [Status.Created, Status.P1Deposited, Status.AllDeposited];
  const lobby = (isOver: boolean, statuses: readonly bigint[]) => {
    const where = { isOver, status_in: statuses.map(Number) };
    return client.page("match", { where, orderBy: "matchId", descending: true, limit: PAGE });
  };
  return {
    "open matches": () => client.matches({ isOpen: true, limit: LISTED }),
    "a player's open matches": (player) => client.matches({ player, isOpen: true, limit: LISTED }),
    "a player's latest matches": (player) => client.matches({ player, limit: PAGE }),
    "matches of a new player": (_, __, n) => client.matches({ player: addressMadeOf(`new player ${n}`), limit: PAGE }),
    "latest matches": () => client.matches({ limit: LISTED }),
    "ranking by rating": () => client.byRating(game, { limit: PAGE }),
    "zero-sum ranking": () => client.byNet(game, { limit: PAGE }),
    "ranking by winnings": () => client.byWinnings(FightToken, { limit: PAGE }),
    "modes of a game": () => client.modes(game, { limit: 1000 }),
    "a player's records": (player) => client.recordsOf(player, all),
    "a player's stakes": (player) => client.stakesOf(player),
    "a player's ratings": (player) => client.ratings(player, game, { limit: COURSE }),
    "latest days of a game": () => client.days(game, { limit: 7 }),
    "two players": (player, other) => client.headToHead(game, player, other),
    "two players in all games": (player, other) => client.page("pair", { where: pairKey(player, other) }),
    "a match with its events": (_, __, matchId) => client.match(matchId),
    "lobby, open offers": () => lobby(false, offered),
    "lobby, live matches": () => lobby(false, [Status.AllJoined]),
    "lobby, finished matches": () => lobby(true, over),
  };
}

/** Measures how long an index takes to answer each request. @returns a line for each request. */
export async function benchRequests(client: IndexClient, players: readonly string[]): Promise<string[]> {
  const lines: string[] = [];
  for (const [name, ask] of Object.entries(requestsOf(client, client.deployment.addresses))) {
    const times: number[] = [];
    for (let n = 0; n < REQUESTS; n++) {
      const [player, other] = [0, 7].map((distance) => players[(n + distance) % players.length]);
      const asked = performance.now();
      await ask(player, other, BigInt(n + 1));
      times.push(performance.now() - asked);
    }
    times.sort((a, b) => a - b);
    lines.push(`${name}: median ${times[MEDIAN].toFixed(1)} ms, 99 % within ${times[P99].toFixed(1)} ms`);
  }
  return lines;
}
