import type { EventEmitter } from "node:events";
import { Tally } from "../shared/server/tally.js";

/** Requests that wait for messages, by channel. */
export class Waiters {
  private readonly waiting = new Map<string, Set<() => void>>();
  private readonly byClient = new Tally();

  /**
   * @param max Most requests that wait at once; further ones do not wait.
   * @param maxOfClient Most of one client.
   */
  constructor(
    private readonly max: number,
    private readonly maxOfClient: number,
  ) {}

  /** Number of requests that wait. */
  get count(): number {
    return this.byClient.total;
  }

  /**
   * Waits until a channel has a new message, the client has disconnected, or the time is over.
   * @param connection Emits `close` once the client is gone.
   * @param isNews True if there is news already. The data that it reads is not kept during the wait: many requests may
   * wait, for long messages.
   */
  async wait(
    channelId: string,
    client: string,
    seconds: number,
    connection: EventEmitter,
    isNews: () => Promise<boolean>,
  ): Promise<void> {
    if (this.count >= this.max || this.byClient.of(client) >= this.maxOfClient) return;
    this.byClient.add(client);
    const waiters = this.waiting.get(channelId) ?? new Set();
    this.waiting.set(channelId, waiters);
    let wake!: () => void;
    const news = new Promise<void>((resolve) => (wake = resolve));
    waiters.add(wake);
    const timer = setTimeout(wake, seconds * 1000);
    connection.once("close", wake);
    try {
      // Checked after the waiter is added: news that arrives meanwhile wakes it.
      if (!(await isNews())) await news;
    } finally {
      clearTimeout(timer);
      connection.off("close", wake);
      waiters.delete(wake);
      if (waiters.size === 0 && this.waiting.get(channelId) === waiters) this.waiting.delete(channelId);
      this.byClient.remove(client);
    }
  }

  /** Wakes the requests that wait for news of a channel. */
  wake(channelId: string): void {
    for (const wake of this.waiting.get(channelId) ?? []) wake();
  }

  /** Wakes all. */
  wakeAll(): void {
    for (const channelId of this.waiting.keys()) this.wake(channelId);
  }
}
