import { machineClock, unlessAborted, type Clock } from "../../chain/waiting.js";
import type { ChannelsAt } from "../../protocol/channels/messages.js";
import type { Hex } from "../../protocol/hex.js";
import { integer, listUpTo, object, optional, text } from "../../protocol/input.js";
import { MAX_MESSAGES, RelayClient, type RelayOptions } from "./relay-client.js";

/** Maximum number of channels whose news is remembered. */
const MAX_REMEMBERED = 5_000;
/** Maximum number of events whose messages are kept until they are read. */
const MAX_KEPT = 256;
/** Milliseconds for which a stream without readers stays open. */
const LINGER = 20_000;
/** Minimum milliseconds between the starts of two streams, and maximum number of events and comments in that time. */
const PAUSE = 1_000;
const MAX_EVENTS = 500;

const place = integer(0, Number.MAX_SAFE_INTEGER);
const readEvent = object({
  seen: place,
  channel: optional(text, undefined),
  from: optional(place, 0),
  messages: optional(
    listUpTo((value) => value, MAX_MESSAGES),
    [],
  ),
});

/** Some messages of a channel, from a place. */
interface Received {
  from: number;
  messages: readonly unknown[];
}

/**
 * Source of one relay's news about all channels of a session key. One stream serves all readers. A relay that lies can
 * only cause useless reads, or delay readers until their next regular read.
 */
export class RelayNews {
  private readonly relay: RelayClient;
  private readonly clock: Clock;
  /** Place from which the relay reports news. */
  private seen = 0;
  /** Number of events. */
  private count = 0;
  /** True while the stream is open. */
  private isOpen = false;
  /** Time at which the last reader stopped waiting. */
  private idleSince = 0;
  /** Number of the last event about each channel, newest last, and of the last event about all channels. */
  private readonly last = new Map<string, number>();
  private lastOfOthers = 0;
  /** Channels that a reader has waited for. */
  private readonly awaited = new Set<string>();
  /** Messages that were received and not read, by channel, and the number of events that contained them. */
  private readonly kept = new Map<string, Received>();
  private keptEvents = 0;
  /** Waiting readers, by channel. */
  private readonly readers = new Map<string, Set<() => void>>();
  private following?: AbortController;

  /** @param key Address of the session key. @throws InputError for a URL that is not HTTP */
  constructor(
    url: string,
    at: ChannelsAt,
    private readonly key: string,
    options: RelayOptions = {},
  ) {
    this.relay = new RelayClient(url, at, options);
    this.clock = options.clock ?? machineClock;
  }

  /** Mark of the current news. Take it before a read. */
  get mark(): number {
    return this.count;
  }

  /** Returns whether the stream is open, and has no news about a channel after a mark. */
  isQuiet(mark: number, id: Hex): boolean {
    return this.isOpen && !this.hasNews(mark, id);
  }

  /** Returns the messages of a channel that were received since the last call, from a place on, if there are any. */
  take(id: Hex, at: number): readonly unknown[] | undefined {
    const received = this.kept.get(id);
    if (!received) return undefined;
    this.kept.delete(id);
    const { from, messages } = received;
    return at >= from && at < from + messages.length ? messages.slice(at - from) : undefined;
  }

  /** Returns once a channel has news after a mark. @throws the reason of the signal */
  async since(mark: number, id: Hex, signal: AbortSignal): Promise<void> {
    if (this.hasNews(mark, id)) return;
    this.awaited.delete(id);
    this.awaited.add(id);
    if (this.awaited.size > MAX_REMEMBERED) this.awaited.delete(this.awaited.keys().next().value!);
    let wake!: () => void;
    const woken = new Promise<void>((resolve) => (wake = resolve));
    const readers = this.readers.get(id) ?? new Set();
    this.readers.set(id, readers.add(wake));
    if (!this.following) {
      this.following = new AbortController();
      // Only this signal ends the streams.
      this.follow(this.following.signal)
        .catch(() => undefined)
        .finally(() => (this.following = undefined));
    }
    try {
      await unlessAborted(woken, signal);
    } finally {
      readers.delete(wake);
      if (readers.size === 0) this.readers.delete(id);
      this.idleSince = this.clock.now();
    }
  }

  /** Closes the stream. */
  close(): void {
    this.following?.abort();
  }

  private hasNews(mark: number, id: Hex): boolean {
    return Math.max(this.last.get(id) ?? 0, this.lastOfOthers) > mark;
  }

  /** Opens streams until no reader has waited for some time, or the signal aborts. */
  private async follow(signal: AbortSignal): Promise<void> {
    while (this.readers.size > 0) {
      const began = this.clock.now();
      let next = began + PAUSE;
      try {
        await this.readStream(signal);
      } catch {
        signal.throwIfAborted();
        next = this.clock.now() + Math.max(PAUSE, this.relay.rest);
      } finally {
        this.isOpen = false;
      }
      const pause = next - this.clock.now();
      if (pause > 0) await this.clock.pause(pause, signal);
    }
  }

  private async readStream(signal: AbortSignal): Promise<void> {
    let [count, end] = [0, this.clock.now() + PAUSE];
    for await (const event of this.relay.events(`keys/${this.key}/${this.seen}`, readEvent, signal)) {
      this.isOpen = true;
      if (event) this.receive(event);
      // Strangers can cause events, and a relay can invent them.
      if (++count >= MAX_EVENTS && this.clock.now() < end) await this.clock.pause(end - this.clock.now(), signal);
      if (this.clock.now() >= end) [count, end] = [0, this.clock.now() + PAUSE];
      if (this.readers.size === 0 && this.clock.now() > this.idleSince + LINGER) return;
    }
  }

  /** Processes an event, and wakes the readers that it concerns. */
  private receive({ seen, channel, from, messages }: ReturnType<typeof readEvent>): void {
    this.count++;
    this.seen = seen;
    // Without a channel, the relay does not know the requested place, so any channel may have news.
    if (channel === undefined || this.keptEvents >= MAX_KEPT) {
      this.kept.clear();
      this.keptEvents = 0;
    }
    if (channel === undefined) this.lastOfOthers = this.count;
    else {
      this.last.delete(channel);
      this.last.set(channel, this.count);
      if (this.last.size > MAX_REMEMBERED) this.last.delete(this.last.keys().next().value!);
      if (this.awaited.has(channel)) this.keep(channel, { from, messages });
    }
    const woken = channel === undefined ? this.readers.values() : [this.readers.get(channel) ?? []];
    for (const readers of woken) for (const wake of readers) wake();
  }

  private keep(channel: string, { from, messages }: Received): void {
    this.keptEvents++;
    const known = this.kept.get(channel);
    const isNext = known && known.from + known.messages.length === from;
    this.kept.set(
      channel,
      isNext ? { from: known.from, messages: [...known.messages, ...messages] } : { from, messages },
    );
  }
}
