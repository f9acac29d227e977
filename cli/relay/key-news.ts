import type { Hex } from "../../sdk/protocol/hex.js";

/** Maximum number of channels that are returned at once. */
const MAX_LISTED = 256;
/** Maximum number of channels that are remembered, in total over all keys. */
const MAX_REMEMBERED = 200_000;

/** Newest message in a channel that is news for a key. */
export interface ChannelNews {
  id: Hex;
  /** Place of the message in its channel. */
  at: number;
  /** Place of the news among the news of all keys. */
  place: number;
}

/**
 * Channels with new messages, by the session keys that must read them. A stranger whose wallets open a channel can name
 * any key in it, so readers must not follow every channel immediately.
 */
export class KeyNews {
  /** Newest news about each channel, by key; the newest comes last. */
  private readonly byKey = new Map<string, Map<Hex, ChannelNews>>();
  /** Keys and channels of all news, the oldest first. */
  private readonly order = new Map<string, { key: string; id: Hex }>();
  private first = 0;
  private last = 0;

  /**
   * @param onNews Called with each key that has news; with undefined after all news was forgotten.
   * @param max Maximum number of remembered news.
   */
  constructor(
    private readonly onNews: (key?: string) => void = () => undefined,
    private readonly max = MAX_REMEMBERED,
  ) {}

  /** Forgets all news, so that readers must read everything again. @param place Place of the last news */
  reset(place: number): void {
    this.first = this.last = place;
    this.order.clear();
    this.byKey.clear();
    this.onNews();
  }

  /**
   * Adds a message.
   * @param at Place of the message in its channel.
   * @param keys Keys that must read it.
   * @param place Place of the news, above all others.
   */
  add(id: Hex, at: number, keys: readonly string[], place = this.last + 1): void {
    this.last = place;
    for (const key of keys) {
      const channels = this.byKey.get(key) ?? new Map<Hex, ChannelNews>();
      channels.delete(id);
      channels.set(id, { id, at, place });
      this.byKey.set(key, channels);
      const name = `${key} ${id}`;
      this.order.delete(name);
      this.order.set(name, { key, id });
      if (this.order.size > this.max) this.forgetOldest();
      this.onNews(key);
    }
  }

  /** Place of the last news of all keys. */
  get end(): number {
    return this.last;
  }

  /** Returns the news of a key after a place, oldest first; undefined for an unknown place. */
  after(key: string, seen: number): ChannelNews[] | undefined {
    if (seen < this.first || seen > this.last) return undefined;
    return [...(this.byKey.get(key)?.values() ?? [])].filter(({ place }) => place > seen).slice(0, MAX_LISTED);
  }

  private forgetOldest(): void {
    const [name, { key, id }] = this.order.entries().next().value!;
    this.order.delete(name);
    const channels = this.byKey.get(key)!;
    // A reader that has not seen this news must read everything again.
    this.first = channels.get(id)!.place;
    channels.delete(id);
    if (channels.size === 0) this.byKey.delete(key);
  }
}
