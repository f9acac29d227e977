import type { CommandContext } from "../shared/command/context.js";
import { followEvents } from "../shared/node/event-feed.js";
import type { EventLog } from "./event-log.js";

/** Announcements of the arena's events by nodes. They only say when to read the chain. */
export class Announcements {
  /** Nodes that announce events at present, by URL: the highest number of a block with such an event. */
  private readonly blocks = new Map<string, number>();
  private announced = new AbortController();

  constructor(
    private readonly context: CommandContext,
    private readonly eventLog: EventLog,
  ) {}

  /** Signal that is aborted when a node has announced events; `renew` makes a new one. */
  get signal(): AbortSignal {
    return this.announced.signal;
  }

  /** Makes a new signal, if events were announced. */
  renew(): void {
    if (this.signal.aborted) this.announced = new AbortController();
  }

  /** Returns whether a node announces events at present, and none of them is after a block. */
  isNoneAfter(block: number): boolean {
    return this.blocks.size > 0 && block >= Math.max(...this.blocks.values());
  }

  /** Follows all nodes that announce events, until the signal aborts. */
  async follow(signal: AbortSignal): Promise<void> {
    await Promise.all(this.context.feeds.map((url) => this.followNode(url, signal)));
  }

  private async followNode(url: string, signal: AbortSignal): Promise<void> {
    await followEvents(url, {
      addresses: [this.context.addresses.Arena],
      signal,
      onNews: (block) => {
        this.blocks.set(url, block);
        this.announced.abort();
      },
      onTrouble: (trouble) => {
        if (trouble !== undefined) this.blocks.delete(url);
        const pace = `I ask for new blocks every ${this.context.provider.pollingInterval / 1000} s.`;
        this.eventLog.reportTrouble(url, trouble && `${trouble} ${pace}`);
      },
    });
  }
}
