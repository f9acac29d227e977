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
import { askAll, RelayClient, type RelayOptions } from "./relay-client.js";
import type { RelayNews } from "./relay-news.js";
import type { ChannelTransport, NewsOptions, ReadLines } from "./transport.js";

/** Messages of an answer, at most. */
const MAX_MESSAGES = 4_000;
/** Messages that are known to have come, at most. */
const MAX_KNOWN = 20_000;
/** Own messages that are put again if a relay has lost its messages, at most. */
const MAX_OWN = 64;
/** Answers of a relay that one read takes, at most. */
const MAX_READS = 16;
/** Milliseconds after which one read takes no further answer. */
const MAX_TIME = 10_000;
/** News in a row after which nothing was read, before the next waits a while, and the milliseconds of that. */
const MAX_VAIN = 5;
const PAUSE = 1_000;

const readAnswer = object({
  messages: listUpTo((value) => value, MAX_MESSAGES),
  seen: integer(0, Number.MAX_SAFE_INTEGER),
  more: boolean,
});

/** Options of a transport by relays. */
export interface RelayTransportOptions extends RelayOptions {
  /** News of the relays; without it a reader looks each second. */
  news?: readonly RelayNews[];
}

/** What a transport knows of one of its relays. */
interface Reading {
  readonly source?: RelayNews;
  /** Place behind what was read. */
  place: number;
  /** What the source knew before the last read. */
  mark: number;
}

/**
 * Transport by one or several relays. It hands on only what the channel's players have signed, each message once; a
 * message is put if one relay takes it.
 */
export class RelayChannelTransport implements ChannelTransport {
  private readonly id: Hex;
  private readonly relays: readonly RelayClient[];
  private readonly readings: ReadonlyMap<RelayClient, Reading>;
  private readonly clock: Clock;
  /** Hashes of the messages that were read. */
  private readonly known = new Set<string>();
  /** The newest messages that were put. */
  private readonly own = new Set<string>();
  /** Number of the messages that were read. */
  private place = 0;
  /** Place of the last news, and how often nothing was read after news since. */
  private newsAt?: number;
  private vain = 0;

  /** @param relays Addresses of the relays. @throws InputError for no address of HTTP */
  constructor(
    relays: readonly string[],
    private readonly at: ChannelsAt,
    private readonly channel: Channel,
    options: RelayTransportOptions = {},
  ) {
    this.id = channelIdOf(channel);
    this.relays = relays.map((url) => new RelayClient(url, at, options));
    const readingOf = (source?: RelayNews) => ({ source, place: 0, mark: source?.mark ?? 0 });
    this.readings = new Map(this.relays.map((relay, i) => [relay, readingOf(options.news?.[i])]));
    this.clock = options.clock ?? machineClock;
  }

  /** @throws RelayTrouble if no relay takes it */
  async put(line: string): Promise<void> {
    if (this.known.has(id(line))) return;
    this.own.add(line);
    if (this.own.size > MAX_OWN) this.own.delete(this.own.values().next().value!);
    await askAll(this.relays, (relay) => this.putTo(relay, line));
  }

  /** @throws RelayTrouble if no relay answers */
  async after(seen: number): Promise<ReadLines> {
    if (seen !== this.place) {
      // Another reader, or one that begins again.
      for (const reading of this.readings.values()) reading.place = 0;
      this.known.clear();
      this.place = seen;
    }
    const lines: string[] = [];
    // An answer may be full of what another relay has shown before.
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
      // A relay may tell of news that there is not.
      if (this.vain >= MAX_VAIN) await this.clock.pause(pause, stop);
      const news = sources.map(({ source, mark }) => source.since(mark, this.id, stop).then(() => seen));
      this.newsAt = await Promise.race([this.clock.pause(waitMs, stop).then(() => undefined), ...news]);
    } finally {
      over.abort();
    }
  }

  /** Reads on from a relay. If it has lost its messages, it gets the player's again. */
  private async advance(relay: RelayClient): Promise<{ messages: string[]; isMore: boolean }> {
    const reading = this.readings.get(relay)!;
    const { place } = reading;
    const { mark = 0 } = reading.source ?? {};
    const { messages, seen, more } = await relay.ask(`${this.id}/${place}`, readAnswer);
    [reading.place, reading.mark] = [seen, mark];
    // A relay that has dropped the channel, or begun it again, has lost what it had.
    const hasLost = seen < place || (place > 0 && seen > place + messages.length);
    if (hasLost) await Promise.allSettled([...this.own].map((line) => this.putTo(relay, line)));
    // A relay that stays where it is has no more.
    return { messages: messages.flatMap((value) => this.lineOf(value)), isMore: more && seen > place };
  }

  /** Returns a message as a line if a player has signed it; a list with nothing otherwise. */
  private lineOf(value: unknown): string[] {
    let message: ChannelMessage;
    try {
      message = readChannelMessage(value, "message");
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      return [];
    }
    const line = channelMessageText(message);
    const isOwn = message.channel === this.id && line.length <= MAX_MESSAGE_LENGTH;
    return isOwn && senderOf(this.at, this.channel, message) !== undefined ? [line] : [];
  }

  private async putTo(relay: RelayClient, line: string): Promise<void> {
    const body = `{"channel":${plainText(this.channel)},"message":${line}}`;
    await relay.ask(this.id, (value) => value, { body });
  }

  private isNew(line: string): boolean {
    return !this.known.has(id(line));
  }
}
