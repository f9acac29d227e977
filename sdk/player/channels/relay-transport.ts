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
import { InputError, integer, listUpTo, object } from "../../protocol/input.js";
import { askAll, RelayClient, type RelayOptions, type RelayRequest } from "./relay-client.js";
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
/** Milliseconds after which a relay that answers a wait without news is asked again, at least. */
const PAUSE = 1_000;

const readAnswer = object({
  messages: listUpTo((value) => value, MAX_MESSAGES),
  seen: integer(0, Number.MAX_SAFE_INTEGER),
});

/**
 * Transport by one or several relays. It hands on only what the channel's players have signed, each message once; a
 * message is put if one relay takes it.
 */
export class RelayChannelTransport implements ChannelTransport {
  private readonly id: Hex;
  private readonly relays: readonly RelayClient[];
  private readonly clock: Clock;
  /** Places behind what was read of each relay. */
  private readonly places = new Map<RelayClient, number>();
  /** Hashes of the messages that were read. */
  private readonly known = new Set<string>();
  /** The newest messages that were put. */
  private readonly own = new Set<string>();
  /** Number of the messages that were read. */
  private place = 0;

  /** @param relays Addresses of the relays. @throws InputError for no address of HTTP */
  constructor(
    relays: readonly string[],
    private readonly at: ChannelsAt,
    private readonly channel: Channel,
    options: RelayOptions = {},
  ) {
    this.id = channelIdOf(channel);
    this.relays = relays.map((url) => new RelayClient(url, at, options));
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
      this.places.clear();
      this.known.clear();
      this.place = seen;
    }
    const lines: string[] = [];
    // An answer may be full of what another relay has shown before.
    const end = this.clock.now() + MAX_TIME;
    for (let reads = 0, isMore = true; isMore && reads < MAX_READS && this.clock.now() < end; reads++) {
      const answers = await askAll(this.relays, (relay) => this.advance(relay));
      for (const line of answers.flatMap(({ messages }) => messages)) {
        if (!this.isNew(line)) continue;
        if (this.known.size >= MAX_KNOWN) this.known.clear();
        this.known.add(id(line));
        lines.push(line);
      }
      isMore = lines.length === 0 && answers.some(({ hasMoved }) => hasMoved);
    }
    this.place += lines.length;
    return { lines, seen: this.place };
  }

  async news(seen: number, { waitMs, signal }: NewsOptions): Promise<void> {
    if (seen !== this.place) return;
    const over = new AbortController();
    const stop = signal ? AbortSignal.any([signal, over.signal]) : over.signal;
    const end = this.clock.now() + waitMs;
    try {
      await Promise.race([
        this.clock.pause(waitMs, stop),
        ...this.relays.map((relay) => this.newsOf(relay, end, stop)),
      ]);
    } finally {
      over.abort();
    }
  }

  /** Returns once a relay has a message that was not read, or at the end. @throws the reason of the signal */
  private async newsOf(relay: RelayClient, end: number, signal: AbortSignal): Promise<void> {
    for (let waitMs = end - this.clock.now(); waitMs > 0; waitMs = end - this.clock.now()) {
      if (relay.rest === 0) {
        try {
          const { messages } = await this.read(relay, { waitMs, signal });
          if (messages.some((line) => this.isNew(line))) return;
        } catch {
          signal.throwIfAborted();
        }
      }
      await this.clock.pause(Math.max(PAUSE, relay.rest), signal);
    }
  }

  /** Reads on from a relay. If it has lost its messages, it gets the player's again. */
  private async advance(relay: RelayClient): Promise<{ messages: string[]; hasMoved: boolean }> {
    const place = this.placeOf(relay);
    const { messages, seen } = await this.read(relay);
    this.places.set(relay, seen);
    if (seen < place) await Promise.allSettled([...this.own].map((line) => this.putTo(relay, line)));
    return { messages, hasMoved: seen > place };
  }

  /** Reads what a relay has after the place of the read before. */
  private async read(relay: RelayClient, request: RelayRequest = {}): Promise<{ messages: string[]; seen: number }> {
    const wait = Math.floor((request.waitMs ?? 0) / 1000);
    const path = `${this.id}/${this.placeOf(relay)}${wait > 0 ? `?wait=${wait}` : ""}`;
    const { messages, seen } = await relay.ask(path, readAnswer, request);
    return { messages: messages.flatMap((value) => this.lineOf(value)), seen };
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

  private placeOf(relay: RelayClient): number {
    return this.places.get(relay) ?? 0;
  }

  private isNew(line: string): boolean {
    return !this.known.has(id(line));
  }
}
