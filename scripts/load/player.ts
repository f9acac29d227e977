import { setTimeout as pause } from "node:timers/promises";
import type { MeetingPlace } from "../../sdk/player/channels/meeting.js";
import { RelayTrouble } from "../../sdk/player/channels/relay-client.js";
import type { ChannelTransport } from "../../sdk/player/channels/transport.js";
import type { ChannelsAt } from "../../sdk/protocol/channels/messages.js";
import {
  channelMessageText,
  parseChannelMessage,
  type ChannelPlayerNumber,
  type MoveMessage,
} from "../../sdk/protocol/channels/wire.js";
import { Ledger } from "./ledger.js";
import { greetingOf, moveAfter, numberOf, senderOfMove, type Pair } from "./pair.js";

/** Milliseconds for which one wait for messages lasts, as in the commands. */
const WAIT = 20_000;
/** Milliseconds after which a player repeats a request that failed. */
const RETRY = 1_000;

/** What a player's process gives to each of its players. */
export interface PlayerOptions {
  at: ChannelsAt;
  place: Pick<MeetingPlace, "transportOf">;
  /** Returns the milliseconds that a player thinks before a message. */
  think(): number;
  /** Called with each message of the opponent that arrived and was checked. */
  onArrival(message: MoveMessage): void;
  /** Called when a request has failed, which the player then repeats. */
  onFailure(): void;
  /** All messages of the pair, signed beforehand; undefined for a player who signs each message when it sends it. */
  recorded?: readonly MoveMessage[];
}

/** Returns the milliseconds since 1970, on the one clock of all processes of this machine. */
export function now(): number {
  return performance.timeOrigin + performance.now();
}

/** A player who answers each message of its opponent after a while. */
export class LoadPlayer {
  /** Messages of the opponent. */
  readonly arrived = new Ledger();
  /** Number of messages that a relay has acknowledged. */
  acknowledged = 0;
  private readonly transport: ChannelTransport;
  private readonly leaving = new AbortController();
  private seen = 0;
  private sending: Promise<void> = Promise.resolve();

  constructor(
    private readonly pair: Pair,
    private readonly player: ChannelPlayerNumber,
    private readonly options: PlayerOptions,
  ) {
    this.transport = options.place.transportOf(pair.channel, player);
  }

  /** Creates the channel at the relay, or follows the opponent who has created it. */
  async enter(): Promise<void> {
    const { pair, player } = this;
    await this.put(channelMessageText(greetingOf(pair, this.options.at, player)));
  }

  /** Reads and answers messages until the signal aborts. Player 1 sends the first message. */
  async play(signal: AbortSignal): Promise<void> {
    if (this.player === 1) this.sending = this.send(undefined);
    while (!signal.aborted) {
      try {
        const { lines, seen, isMore } = await this.transport.after(this.seen);
        this.seen = seen;
        for (const line of lines) this.take(line);
        if (!isMore) await this.transport.news(seen, { waitMs: WAIT, signal });
      } catch (error) {
        if (signal.aborted) return;
        await this.failed(error);
      }
    }
  }

  /** Stops to send, and returns once the last message is acknowledged. */
  async leave(): Promise<void> {
    this.leaving.abort();
    await this.sending;
  }

  private take(line: string): void {
    const message = parseChannelMessage(line, "message");
    if (message.type !== "move" || senderOfMove(message) === this.player) return;
    if (!this.arrived.take(numberOf(message))) return;
    this.options.onArrival(message);
    this.sending = this.send(message);
  }

  /** Thinks, and sends the message that follows another one. */
  private async send(last: MoveMessage | undefined): Promise<void> {
    const { at, recorded, think } = this.options;
    const { signal } = this.leaving;
    await pause(think(), undefined, { signal }).catch(() => undefined);
    if (signal.aborted) return;
    const message = recorded ? recorded[last?.count ?? 0] : moveAfter(this.pair, at, last, now());
    // The recorded messages are over.
    if (!message) return;
    await this.put(channelMessageText(message));
    this.acknowledged = numberOf(message);
  }

  /** Sends a message until a relay acknowledges it. */
  private async put(line: string): Promise<void> {
    for (;;) {
      try {
        return await this.transport.put(line);
      } catch (error) {
        await this.failed(error);
      }
    }
  }

  /** Waits until a failed request may be repeated. @throws the error if a repetition would fail again */
  private async failed(error: unknown): Promise<void> {
    if (!(error instanceof RelayTrouble) || error.isRefusal) throw error;
    this.options.onFailure();
    await pause(RETRY);
  }
}
