import type { Hex } from "../../sdk/protocol/hex.js";

/** Maximum number of channels that are remembered per key. */
const MAX_REMEMBERED = 2_000;
/** Maximum number of channels in an answer. */
const MAX_LISTED = 256;

/** Channels with messages after a place. */
export interface ChannelNews {
  channels: Hex[];
  /** Place after which the next answer begins. */
  seen: number;
}

/**
 * Channels with new messages, by the keys of players who have signed something there. A stranger whose wallets open a
 * channel can name any key in it, so readers must not follow every channel immediately.
 */
export class KeyNews {
  /** Place of the newest message in each channel, by key; the newest comes last. */
  private readonly byKey = new Map<string, Map<Hex, number>>();
  private readonly keys = new Map<Hex, Set<string>>();
  private last: number;

  /** @param first Place of the first message; it is above the places of an earlier run of the relay. */
  constructor(private readonly first: number) {
    this.last = first;
  }

  /**
   * Adds a message to a channel.
   * @param key Session key of the player who has signed it; undefined if only the chain can check the signature.
   * @returns the keys to notify: those of other players who have signed something
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

  /**
   * Returns channels of a key with messages after a place; for an unknown place, returns no channels and the last
   * place.
   */
  after(key: string, seen: number): ChannelNews {
    if (seen < this.first || seen > this.last) return { channels: [], seen: this.last };
    const news = [...(this.byKey.get(key) ?? [])].filter(([, place]) => place > seen).slice(0, MAX_LISTED);
    return { channels: news.map(([id]) => id), seen: news.at(-1)?.[1] ?? seen };
  }
}
