import { machineClock, unlessAborted, type Clock } from "../../chain/waiting.js";
import type { ChannelsAt } from "../../protocol/channels/messages.js";
import type { Hex } from "../../protocol/hex.js";
import { integer, listUpTo, object, text } from "../../protocol/input.js";
import { RelayClient, type RelayOptions } from "./relay-client.js";

/** Maximum number of channels in an answer, and of channels whose news is remembered. */
const MAX_LISTED = 1_000;
const MAX_REMEMBERED = 5_000;
/** Milliseconds for which the relay may hold a request open. */
const WAIT = 20_000;
/** Milliseconds between two requests: minimum, and after an early answer without news. */
const SPACING = 50;
const PAUSE = 1_000;

const readNews = object({ channels: listUpTo(text, MAX_LISTED), seen: integer(0, Number.MAX_SAFE_INTEGER) });

/**
 * Source of one relay's news about all channels of a session key. However many readers wait, it sends one request for
 * all of them. A relay that lies can only cause useless reads, or delay readers until their next regular read.
 */
export class RelayNews {
  private readonly relay: RelayClient;
  private readonly clock: Clock;
  /** Place from which the relay reports news. */
  private seen = 0;
  /** Number of answers with news. */
  private count = 0;
  /** Number of the last answer with news about each channel, newest last, and of the last answer about all channels. */
  private readonly last = new Map<string, number>();
  private lastOfOthers = 0;
  /** Channels that a reader has waited for. */
  private readonly awaited = new Set<string>();
  /** Waiting readers, by channel. */
  private readonly readers = new Map<string, Set<() => void>>();
  private asking?: AbortController;

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

  /** Returns once a channel has news after a mark. @throws the reason of the signal */
  async since(mark: number, id: Hex, signal: AbortSignal): Promise<void> {
    if (Math.max(this.last.get(id) ?? 0, this.lastOfOthers) > mark) return;
    this.awaited.delete(id);
    this.awaited.add(id);
    if (this.awaited.size > MAX_REMEMBERED) this.awaited.delete(this.awaited.values().next().value!);
    let wake!: () => void;
    const woken = new Promise<void>((resolve) => (wake = resolve));
    const readers = this.readers.get(id) ?? new Set();
    this.readers.set(id, readers.add(wake));
    if (!this.asking) {
      this.asking = new AbortController();
      // Only this signal ends the requests.
      this.ask(this.asking.signal).catch(() => undefined);
    }
    try {
      await unlessAborted(woken, signal);
    } finally {
      readers.delete(wake);
      if (readers.size === 0) this.readers.delete(id);
      if (this.readers.size === 0) {
        this.asking.abort();
        this.asking = undefined;
      }
    }
  }

  /** Keeps asking until the signal aborts. */
  private async ask(signal: AbortSignal): Promise<void> {
    for (;;) {
      const began = this.clock.now();
      let pause: number;
      try {
        const path = `keys/${this.key}/${this.seen}?wait=${WAIT / 1000}`;
        const isNews = this.take(await this.relay.ask(path, readNews, { waitMs: WAIT, signal }));
        const isEarly = this.clock.now() < began + WAIT / 2;
        pause = isEarly && !isNews ? PAUSE : began + SPACING - this.clock.now();
      } catch {
        signal.throwIfAborted();
        pause = Math.max(PAUSE, this.relay.rest);
      }
      if (pause > 0) await this.clock.pause(pause, signal);
    }
  }

  /**
   * Processes an answer, and wakes the readers that it concerns.
   * @returns false if the answer concerns no reader: others can create channels with this key.
   */
  private take({ channels, seen }: { channels: string[]; seen: number }): boolean {
    if (channels.length === 0 && seen === this.seen) return false;
    this.count++;
    // The relay no longer knows the requested place, so any channel may have news.
    if (channels.length === 0) this.lastOfOthers = this.count;
    for (const id of channels) {
      this.last.delete(id);
      this.last.set(id, this.count);
    }
    while (this.last.size > MAX_REMEMBERED) this.last.delete(this.last.keys().next().value!);
    const woken = channels.length === 0 ? this.readers.values() : channels.flatMap((id) => this.readers.get(id) ?? []);
    for (const readers of woken) for (const wake of readers) wake();
    this.seen = seen;
    return channels.length === 0 || channels.some((id) => this.awaited.has(id));
  }
}
