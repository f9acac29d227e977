import { toBeHex } from "ethers";
import type { Arena } from "../../typechain-types/index.js";
import type { Hex } from "../protocol/hex.js";
import type { Addresses } from "./addresses.js";
import { termsUnder, type ChannelMatchEvents } from "./channel-record.js";
import { channelsOf } from "./channels.js";
import { decodeEvent, inOrder, topicsOf, type AnyEvent, type ChainEvent } from "./events.js";
import type { LogFilter, LogReader, ReadManner, Stretch } from "./logs.js";
import { readTerms } from "./terms.js";

/** Options of a search. */
interface SearchManner extends ReadManner {
  /** Called with the logs that were read to find out whether a channel has submitted the match. */
  onStretch(stretch: Stretch): void;
}

/**
 * Searches a chain for all events about a channel match. Starts at the last block, since most requested matches are
 * recent.
 * @param blocks First and last block.
 * @returns undefined if no channel has submitted the match on chain.
 * @throws Outage or Refused
 */
export async function searchChannelMatch(
  arena: Arena,
  reader: LogReader,
  addresses: Addresses,
  matchId: bigint,
  [first, last]: readonly [number, number],
  { onStretch, ...manner }: SearchManner,
): Promise<ChannelMatchEvents | undefined> {
  const { Arena, ...others } = addresses;
  const channels = channelsOf(Arena);
  const id: Hex = toBeHex(matchId, 32);
  const newest = async (topics: LogFilter["topics"], until: number, onRead?: typeof onStretch) => {
    for await (const stretch of reader.backward({ ...manner, address: channels, topics }, first, until)) {
      onRead?.(stretch);
      const log = stretch.logs.at(-1);
      if (log) return decodeEvent(log);
    }
    return undefined;
  };
  const read = async (filter: Pick<LogFilter, "address" | "topics">, from: number, to: number) => {
    const events: AnyEvent[] = [];
    for await (const { logs } of reader.forward({ ...manner, ...filter }, from, to))
      events.push(...logs.map(decodeEvent));
    return events;
  };
  const brought = (await newest([topicsOf("Played", "Challenged"), null, id], last, onStretch)) as
    | ChainEvent<"Played">
    | undefined;
  if (!brought) return undefined;
  const { block, args } = brought;
  const isOver = (brought as AnyEvent).name === "Played";
  const of = topicsOf("Started", "Voided", "Acted", "Settled", "Log");
  const [about, under, opened] = await Promise.all([
    read({ address: [Arena, ...Object.values<string>(others)], topics: [of, id] }, block, isOver ? block : last),
    isOver ? read({ address: channels, topics: [topicsOf("PlayedUnder"), args.channelId] }, block, block) : [],
    newest([topicsOf("Opened"), args.channelId], block),
  ]);
  // Any game may emit events with the arena's names; the arena emits no `Log`.
  const events = about.filter(({ name, address }) => (name === "Log") === (address !== Arena));
  const opening = opened as ChainEvent<"Opened"> | undefined;
  if (!opening) return undefined;
  const started = events.findLast(({ name }) => name === "Started") as ChainEvent<"Started"> | undefined;
  const own = under.findLast((event) => inOrder(event, brought) < 0) as ChainEvent<"PlayedUnder"> | undefined;
  // A node may omit events.
  const terms = isOver
    ? own && termsUnder(own.args, opening.args)
    : started && (await readTerms(arena, started.args.termsId));
  return terms && { opened: opening.args, terms, events: [...events, brought].sort(inOrder) };
}
