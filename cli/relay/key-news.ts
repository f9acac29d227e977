import type { Hex } from "../../sdk/protocol/hex.js";

/** Channels of a key that are remembered, at most. */
const MAX_REMEMBERED = 2_000;
/** Channels of an answer, at most. */
const MAX_LISTED = 256;

/** Channels with news from a place on. */
export interface ChannelNews {
  channels: Hex[];
  /** Place from which the next answer begins. */
  seen: number;
}

/**
 * Channels in which there are new messages, by the keys of players who have signed something there. A stranger whose
 * wallets open a channel can name any key in it, so readers must not follow each news at once.
 */
export class KeyNews {
  /** Places of the newest message of each channel, by key, the newest last. */
  private readonly byKey = new Map<string, Map<Hex, number>>();
  private readonly keys = new Map<Hex, Set<string>>();
  private last: number;

  /** @param first Place of the first message; above those of a relay that ran before. */
  constructor(private readonly first: number) {
    this.last = first;
  }

  /**
   * Adds a message to a channel.
   * @param key Session key of the player who has signed it; undefined if only the chain can check that.
   * @returns keys for which it is news: those of others who have signed something
   */
  add(id: Hex, key: string | undefined): string[] {
    const keys = this.keys.get(id) ?? new Set();
    if (key !== undefined) keys.add(key);
    this.keys.set(id, keys);
    this.last++;
    const others = [...keys].filter((each) => each !== key);
    for (const each of others) {
      const channels = this.byKey.get(each) ?? new Map<Hex, number>();
      channels.delete(id);
      channels.set(id, this.last);
      this.byKey.set(each, channels);
      if (channels.size > MAX_REMEMBERED) channels.delete(channels.keys().next().value!);
    }
    return others;
  }

  remove(id: Hex): void {
    for (const key of this.keys.get(id) ?? []) {
      const channels = this.byKey.get(key);
      channels?.delete(id);
      if (channels?.size === 0) this.byKey.delete(key);
    }
    this.keys.delete(id);
  }

  /** Returns channels of a key with messages after a place; none, and another place, if there is no such place. */
  after(key: string, seen: number): ChannelNews {
    if (seen < this.first || seen > this.last) return { channels: [], seen: this.last };
    const news = [...(this.byKey.get(key) ?? [])].filter(([, place]) => place > seen).slice(0, MAX_LISTED);
    return { channels: news.map(([id]) => id), seen: news.at(-1)?.[1] ?? seen };
  }
}
