import { id } from "ethers";
import { machineClock, type Clock } from "../../chain/waiting.js";
import { channelIdOf, type Channel, type ChannelsAt } from "../../protocol/channels/messages.js";
import {
  channelMessageText,
  MAX_MESSAGE_LENGTH,
  plainText,
  readChannelMessage,
  senderOf,
  type ChannelMessage,
} from "../../protocol/channels/wire.js";
import type { Hex } from "../../protocol/hex.js";
import { boolean, InputError, integer, listUpTo, object } from "../../protocol/input.js";
import { askAll, MAX_MESSAGES, RelayClient, type RelayOptions } from "./relay-client.js";
import type { RelayNews } from "./relay-news.js";
import type { ChannelTransport, NewsOptions, ReadLines } from "./transport.js";

/** Maximum number of received messages that are remembered. */
const MAX_KNOWN = 20_000;
/** Maximum number of the player's messages to send again if a relay has lost its messages. */
const MAX_OWN = 64;
/** Maximum number of answers of a relay per read. */
const MAX_READS = 16;
/** Milliseconds after which a read requests no further answer. */
const MAX_TIME = 10_000;
/** Milliseconds after which a relay is read even if its stream has no news. */
const REGULAR = 15_000;
/** Number of consecutive false reports of news before the next wait pauses, and the milliseconds of that pause. */
const MAX_VAIN = 5;
const PAUSE = 1_000;

const readAnswer = object({
  messages: listUpTo((value) => value, MAX_MESSAGES),
  seen: integer(0, Number.MAX_SAFE_INTEGER),
  more: boolean,
});

/** Options of a relay transport. */
export interface RelayTransportOptions extends RelayOptions {
  /** News of the relays; without it, the transport polls every second. */
  news?: readonly RelayNews[];
}

/** State of one relay of a transport. */
interface Reading {
  readonly source?: RelayNews;
  /** Place after the messages that were read. */
  place: number;
  /** Mark of the source before the last read. */
  mark: number;
  /** Time of the last request. */
  time: number;
}

/**
 * Transport over one or several relays. It passes on each message once, and only if one of the channel's players signed
 * it. A message is sent once one relay accepts it.
 * @example
 * ```ts
 * import { RelayChannelTransport } from "duello";
 *
 * const transport = new RelayChannelTransport(relays, channelsAt, channel);
 * const { lines, seen } = await transport.after(0);
 * ```
 */
export class RelayChannelTransport implements ChannelTransport {
  private readonly id: Hex;
  private readonly relays: readonly RelayClient[];
  private readonly readings: ReadonlyMap<RelayClient, Reading>;
  private readonly clock: Clock;
  /** Hashes of the received messages. */
  private readonly known = new Set<string>();
  /** The newest messages that the player sent. */
  private readonly own = new Set<string>();
  /** Number of the messages that were read. */
  private place = 0;
  /** Place of the last news, and number of consecutive times that news led to no message. */
  private newsAt?: number;
  private vain = 0;

  /** @param relays URLs of the relays. @throws InputError for a URL that is not HTTP */
  constructor(
    relays: readonly string[],
    private readonly at: ChannelsAt,
    private readonly channel: Channel,
    options: RelayTransportOptions = {},
  ) {
    this.id = channelIdOf(channel);
    this.relays = relays.map((url) => new RelayClient(url, at, options));
    const readingOf = (source?: RelayNews) => ({ source, place: 0, mark: source?.mark ?? 0, time: -Infinity });
    this.readings = new Map(this.relays.map((relay, i) => [relay, readingOf(options.news?.[i])]));
    this.clock = options.clock ?? machineClock;
  }

  /** @throws RelayTrouble if no relay accepts it */
  async put(line: string): Promise<void> {
    if (this.known.has(id(line))) return;
    this.own.add(line);
    if (this.own.size > MAX_OWN) this.own.delete(this.own.values().next().value!);
    await askAll(this.relays, (relay) => this.putTo(relay, line));
  }

  /** @throws RelayTrouble if no relay answers */
  async after(seen: number): Promise<ReadLines> {
    if (seen !== this.place) {
      // Another reader has read, or the same reader starts again.
      for (const reading of this.readings.values()) [reading.place, reading.time] = [0, -Infinity];
      this.known.clear();
      this.place = seen;
    }
    const lines: string[] = [];
    // An answer may contain only messages that another relay has sent before.
    const end = this.clock.now() + MAX_TIME;
    let isMore = true;
    for (let reads = 0; isMore && lines.length === 0 && reads < MAX_READS && this.clock.now() < end; reads++) {
      const answers = await askAll(this.relays, (relay) => this.advance(relay));
      for (const line of answers.flatMap(({ messages }) => messages)) {
        if (!this.isNew(line)) continue;
        if (this.known.size >= MAX_KNOWN) this.known.clear();
        this.known.add(id(line));
        lines.push(line);
      }
      isMore = answers.some((answer) => answer.isMore);
    }
    this.place += lines.length;
    return { lines, seen: this.place, isMore };
  }

  async news(seen: number, { waitMs, signal }: NewsOptions): Promise<void> {
    if (seen !== this.place) return;
    this.vain = this.newsAt === seen ? this.vain + 1 : 0;
    this.newsAt = undefined;
    const over = new AbortController();
    const stop = signal ? AbortSignal.any([signal, over.signal]) : over.signal;
    const pause = Math.min(PAUSE, waitMs);
    try {
      const sources = [...this.readings.values()].flatMap(({ source, mark }) => (source ? { source, mark } : []));
      if (sources.length === 0) return await this.clock.pause(pause, stop);
      // A relay may announce news that does not exist.
      if (this.vain >= MAX_VAIN) await this.clock.pause(pause, stop);
      const news = sources.map(({ source, mark }) => source.since(mark, this.id, stop).then(() => seen));
      this.newsAt = await Promise.race([this.clock.pause(waitMs, stop).then(() => undefined), ...news]);
    } finally {
      over.abort();
    }
  }

  /** Reads the next messages of a relay. If the relay has lost messages, sends it the player's messages again. */
  private async advance(relay: RelayClient): Promise<{ messages: string[]; isMore: boolean }> {
    const reading = this.readings.get(relay)!;
    const { place, source } = reading;
    const isRegular = this.clock.now() >= reading.time + REGULAR;
    if (!isRegular && source?.isQuiet(reading.mark, this.id)) return { messages: [], isMore: false };
    const mark = source?.mark ?? 0;
    const received = isRegular ? undefined : source?.take(this.id, place);
    if (received) {
      [reading.place, reading.mark] = [place + received.length, mark];
      return { messages: received.flatMap((value) => this.lineOf(value)), isMore: false };
    }
    const { messages, seen, more } = await relay.ask(`${this.id}/${place}`, readAnswer);
    [reading.place, reading.mark, reading.time] = [seen, mark, this.clock.now()];
    // A relay that dropped the channel, or started it again, has lost its messages.
    const hasLost = seen < place || (place > 0 && seen > place + messages.length);
    if (hasLost) await Promise.allSettled([...this.own].map((line) => this.putTo(relay, line)));
    // A relay that does not advance has no more messages.
    return { messages: messages.flatMap((value) => this.lineOf(value)), isMore: more && seen > place };
  }

  /** Returns a message as a line if a player has signed it; an empty list otherwise. */
  private lineOf(value: unknown): string[] {
    let message: ChannelMessage;
    try {
      message = readChannelMessage(value, "message");
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      return [];
    }
    const line = channelMessageText(message);
    if (this.own.has(line)) return [line];
    const isHere = message.channel === this.id && line.length <= MAX_MESSAGE_LENGTH;
    return isHere && senderOf(this.at, this.channel, message) !== undefined ? [line] : [];
  }

  private async putTo(relay: RelayClient, line: string): Promise<void> {
    const body = `{"channel":${plainText(this.channel)},"message":${line}}`;
    await relay.ask(this.id, (value) => value, body);
  }

  private isNew(line: string): boolean {
    return !this.known.has(id(line));
  }
}
