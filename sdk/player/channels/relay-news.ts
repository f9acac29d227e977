import { machineClock, unlessAborted, type Clock } from "../../chain/waiting.js";
import type { ChannelsAt } from "../../protocol/channels/messages.js";
import type { Hex } from "../../protocol/hex.js";
import { integer, listUpTo, object, text } from "../../protocol/input.js";
import { RelayClient, type RelayOptions } from "./relay-client.js";

/** Channels of an answer, at most, and channels whose news is remembered. */
const MAX_LISTED = 1_000;
const MAX_REMEMBERED = 5_000;
/** Milliseconds for which a relay is asked to wait. */
const WAIT = 20_000;
/** Milliseconds between two requests: at least, and after an answer that came early and named nothing. */
const SPACING = 50;
const PAUSE = 1_000;

const readNews = object({ channels: listUpTo(text, MAX_LISTED), seen: integer(0, Number.MAX_SAFE_INTEGER) });

/**
 * Source of news about all channels of a session key, by one relay: however many readers wait, one request waits for all
 * of them. A relay that lies costs its readers reads in vain, or the time until they read anyway.
 */
export class RelayNews {
  private readonly relay: RelayClient;
  private readonly clock: Clock;
  /** Place from which the relay is asked. */
  private seen = 0;
  /** Number of the answers with news. */
  private count = 0;
  /** Numbers of the last answers with news, by channel, the newest last; and of the last one with news of all others. */
  private readonly last = new Map<string, number>();
  private lastOfOthers = 0;
  /** Channels that somebody has waited for. */
  private readonly awaited = new Set<string>();
  /** Readers that wait, by channel. */
  private readonly readers = new Map<string, Set<() => void>>();
  private asking?: AbortController;

  /** @param key Address of the session key. @throws InputError for no address of HTTP */
  constructor(
    url: string,
    at: ChannelsAt,
    private readonly key: string,
    options: RelayOptions = {},
  ) {
    this.relay = new RelayClient(url, at, options);
    this.clock = options.clock ?? machineClock;
  }

  /** Mark of what is known now, to be taken before a read. */
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
      // It ends by its signal only.
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

  /** Asks again and again until the signal aborts. */
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
   * Takes an answer, and wakes the readers for whom it is news.
   * @returns false if it is news for nobody: others can make channels with this key.
   */
  private take({ channels, seen }: { channels: string[]; seen: number }): boolean {
    if (channels.length === 0 && seen === this.seen) return false;
    this.count++;
    // The relay does not know the place: there may have been anything.
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
