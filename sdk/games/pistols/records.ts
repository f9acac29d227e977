import type { BaseContract, DeferredTopicFilter, EventLog } from "ethers";
import { Arena__factory, IGame__factory } from "../../../typechain-types/index.js";
import type { History } from "../../history.js";
import type { MatchRecord } from "../../record.js";
import type { Hex } from "../../seal.js";
import { Seat } from "../../status.js";
import { standingAfter, type Standing } from "./honour.js";
import { decodeResult, isResult } from "./log.js";

/** A finished rated duel of a player: what it was worth, and the event that says so. */
interface Finished {
  honour: number;
  event: EventLog;
}

/**
 * What a match froze, from events alone: player 1's standing when the match was created and player 2's when it joined;
 * that one is undefined if it did not.
 */
export async function frozenStandings(
  record: MatchRecord,
  history: History,
): Promise<[Standing, Standing | undefined]> {
  const arena = Arena__factory.connect(history.addresses.Arena, history.provider);
  const [[created], [joined]] = await Promise.all([
    history.events(arena, arena.filters.Created(record.matchId)),
    history.events(arena, arena.filters.Joined(record.matchId)),
  ]);
  const standingOf = async (player: string, frozen: EventLog) => {
    const duels = await duelsOf(player, record.terms.game, history);
    return standingAfter(duels.filter(({ event }) => isBefore(event, frozen)).map(({ honour }) => honour));
  };
  const first = standingOf(record.player1, created);
  return Promise.all([first, joined && standingOf(joined.args.player2 as string, joined)]);
}

/** The finished rated duels of a player in a game, oldest first. */
async function duelsOf(player: string, game: string, history: History): Promise<Finished[]> {
  const arena = Arena__factory.connect(history.addresses.Arena, history.provider);
  const contract = IGame__factory.connect(game, history.provider);
  const [offered, funded] = await Promise.all([
    history.events(arena, arena.filters.Created(undefined, player)),
    history.events(arena, arena.filters.Funded(undefined, undefined, player)),
  ]);
  const taken = await eventsOf(history, arena, arena.filters.Created, idsOf(funded.filter(isSecondSeat)));
  const rated = async (created: EventLog[]) => {
    const counting: EventLog[] = [];
    for (const event of created) {
      const terms = await history.terms(event.args.termsHash as Hex);
      if (terms.rated) counting.push(event);
    }
    return idsOf(counting);
  };
  const side = new Map([
    ...(await rated(offered)).map((id) => [id, 0] as const),
    ...(await rated(taken)).map((id) => [id, 1] as const),
  ]);
  const logs = await eventsOf(history, contract, contract.filters.Log, [...side.keys()]);
  return logs.flatMap((event) => {
    const word = (event.args.words as bigint[]).at(-1);
    if (word === undefined || !isResult(word)) return [];
    return [{ honour: decodeResult(word).honour[side.get(event.args.matchId as bigint)!], event }];
  });
}

/** The events of some matches; a filter without any would be one for all. */
async function eventsOf(
  history: History,
  contract: BaseContract,
  filter: (ids: never) => DeferredTopicFilter,
  ids: readonly bigint[],
): Promise<EventLog[]> {
  return ids.length === 0 ? [] : history.events(contract, filter(ids as never));
}

function idsOf(events: readonly EventLog[]): bigint[] {
  return events.map(({ args }) => args.matchId as bigint);
}

function isSecondSeat({ args }: EventLog): boolean {
  return args.seat === Seat.Two;
}

function isBefore(event: EventLog, other: EventLog): boolean {
  return (
    event.blockNumber < other.blockNumber || (event.blockNumber === other.blockNumber && event.index < other.index)
  );
}
