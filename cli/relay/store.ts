import type { Channel, ChannelsAt } from "../../sdk/protocol/channels/messages.js";
import type { Seek } from "../../sdk/protocol/channels/seek.js";
import type { ChannelMessage } from "../../sdk/protocol/channels/wire.js";
import type { Hex } from "../../sdk/protocol/hex.js";
import type { KeyNews } from "./key-news.js";
import type { SeekLimits } from "./seeks.js";

/** Maximum number of listed channels per key: the newest, and those with a signature that only the chain can check. */
export const MAX_LISTED_CHANNELS = 48;
export const MAX_LISTED_UNCHECKED = 16;

/** Error message of a store that does not work. */
export const STORE_FAILS = "the store accepts no messages";

/** Limits of stored messages. */
export interface MessageLimits {
  /** Maximum number of channels; if there are more, the least recently written ones are dropped. */
  channels: number;
  /** Maximum bytes of all channels together; if there are more, channels are dropped in the same order. */
  bytes: number;
  /** Maximum bytes of one channel; if there are more, the older half of its messages is dropped. */
  channelBytes: number;
}

/** What a store needs from its relay. */
export interface StoreOptions {
  /** Chain and contract of the deployment. */
  at: ChannelsAt;
  limits: MessageLimits & SeekLimits;
  /** News of session keys, which the store adds to. */
  news: KeyNews;
  /** Returns milliseconds since 1970. */
  now: () => number;
  /** Called with the bytes that were read from the disk or the database for a client. */
  onLoad: (client: string, bytes: number) => void;
  /** Called for each failure that no client caused. */
  onTrouble: (error: unknown) => void;
}

/** Opens a store. @throws Error if the store is unusable, or is used by another relay and cannot be shared */
export type OpenStore = (options: StoreOptions) => Promise<RelayStore>;

/** Number of stored channels, and their bytes. */
export interface StoreState {
  channels: number;
  bytes: number;
}

/** Messages of a channel, starting at a place. */
export interface Messages {
  /** Messages as lines of JSON. */
  lines: readonly string[];
  /** Place of the first line. */
  from: number;
}

/** Rules for adding a new channel. */
export interface Admission {
  /** Returns the fields of the channel, or undefined if the client has not sent them. @throws InputError */
  channel(): Channel | undefined;
  /** Called before a channel is added. @throws Refusal */
  admit(channel: Channel): Promise<void>;
}

/** Messages of channels, and the channels of session keys. */
export interface MessageStore {
  state(): Promise<StoreState>;
  /**
   * Returns the messages of a channel, starting at a place; all messages if the channel has no such place.
   * @param known Place of a message. Messages after it may be missing; by default none is.
   */
  after(id: Hex, seen: number, client: string, known?: number): Promise<Messages>;
  /**
   * Adds a message that a player of the channel has signed, and returns once it is durable.
   * @returns false if the message is already there
   * @throws Busy, Refusal; InputError for a message that no player has signed
   */
  add(id: Hex, client: string, message: ChannelMessage, admission: Admission): Promise<boolean>;
  /** Returns channels of a session key that the other player has consented to open, the newest first. */
  channelsOf(key: string): Promise<Channel[]>;
  /** Writes in the way a message is written. @throws Error if the store does not accept it */
  probe(): Promise<void>;
}

/** Searches of players. */
export interface SeekStore {
  count(): Promise<number>;
  /** Adds or renews a search. @throws Refusal, InputError */
  put(seek: Seek, client: string): Promise<void>;
  /** Returns searches that a player may answer, newest first; searches that name the player precede all others. */
  for(player: string): Promise<Seek[]>;
  /** Returns the client whose search this channel answers; undefined if there is none, or it was answered before. */
  answer(channel: Channel): Promise<string | undefined>;
}

/** Store of a relay. */
export interface RelayStore {
  readonly messages: MessageStore;
  readonly seeks: SeekStore;
  /** Accepts no more messages, and returns once the accepted ones are durable. */
  close(): Promise<void>;
}
