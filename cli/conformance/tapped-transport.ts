import type { Clock } from "../../sdk/chain/waiting.js";
import type { ChannelTransport, NewsOptions, ReadLines } from "../../sdk/player/channels/transport.js";
import { parseChannelMessage, type MoveMessage } from "../../sdk/protocol/channels/wire.js";

/** Fault that replaces the sending of one move. @param send Sends the move */
export type Fault = (send: () => Promise<void>, move: MoveMessage) => Promise<void>;

/** Transport of the kit: it shows all messages to a listener, and plants a fault in place of a move. */
export class TappedTransport implements ChannelTransport {
  /** Fault in place of the next move; undefined to send it. */
  fault?: Fault;
  /** Time of the last message that was sent. */
  sentAt: number;

  constructor(
    private readonly way: ChannelTransport,
    private readonly hear: (line: string) => Promise<void>,
    private readonly clock: Clock,
  ) {
    this.sentAt = clock.now();
  }

  async put(line: string): Promise<void> {
    const { fault } = this;
    const message = fault && parseChannelMessage(line, "message");
    if (fault && message?.type === "move") {
      this.fault = undefined;
      await fault(() => this.way.put(line), message);
    } else await this.way.put(line);
    this.sentAt = this.clock.now();
  }

  async after(seen: number): Promise<ReadLines> {
    const read = await this.way.after(seen);
    for (const line of read.lines) await this.hear(line);
    return read;
  }

  async news(seen: number, options: NewsOptions): Promise<void> {
    return this.way.news(seen, options);
  }
}
