import { sessionKeyOf, type Channel } from "../../../sdk/protocol/channels/messages.js";
import type { ChannelMessage } from "../../../sdk/protocol/channels/wire.js";
import type { Hex } from "../../../sdk/protocol/hex.js";
import { MAX_LISTED_CHANNELS, MAX_LISTED_UNCHECKED } from "../store.js";

/** Channels by session key, for players whom the other player has asked to open the channel. */
export class KeyIndex {
  /** Channels of each key, the one with the newest consent last. */
  private readonly byKey = new Map<string, Map<Hex, { channel: Channel; isChecked: boolean }>>();
  private readonly channels = new Map<Hex, Channel>();

  /** Adds a channel if the message is a consent to open it. @param isChecked False if only the chain can check it. */
  add(id: Hex, channel: Channel, message: ChannelMessage, isChecked: boolean): void {
    if (message.type !== "open") return;
    const key = sessionKeyOf(channel, message.player === 1 ? 2 : 1);
    const own = this.byKey.get(key) ?? new Map<Hex, { channel: Channel; isChecked: boolean }>();
    const wasChecked = own.get(id)?.isChecked ?? false;
    own.delete(id);
    own.set(id, { channel, isChecked: isChecked || wasChecked });
    this.byKey.set(key, own);
    this.channels.set(id, channel);
  }

  remove(id: Hex): void {
    const channel = this.channels.get(id);
    this.channels.delete(id);
    for (const key of channel ? [channel.key1, channel.key2] : []) {
      const own = this.byKey.get(key);
      own?.delete(id);
      if (own?.size === 0) this.byKey.delete(key);
    }
  }

  /** Returns channels of a key, the newest first. */
  of(key: string): Channel[] {
    const own = [...(this.byKey.get(key)?.values() ?? [])].toReversed();
    const checked = own.filter(({ isChecked }) => isChecked).slice(0, MAX_LISTED_CHANNELS);
    const others = own.filter(({ isChecked }) => !isChecked).slice(0, MAX_LISTED_UNCHECKED);
    return [...checked, ...others].map(({ channel }) => channel);
  }
}
