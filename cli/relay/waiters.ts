import type { EventEmitter } from "node:events";
import { Tally } from "../shared/server/tally.js";

/** Requests that wait for messages, by session key. */
export class Waiters {
  private readonly waiting = new Map<string, Set<() => void>>();
  private readonly byClient = new Tally();

  /**
   * @param max Maximum number of requests that wait at once; further requests do not wait.
   * @param maxOfClient Maximum number for one client.
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
   * Waits until there is a new message for a key, the client has disconnected, or the time is over.
   * @param connection Emits `close` once the client is gone.
   */
  async wait(key: string, client: string, seconds: number, connection: EventEmitter): Promise<void> {
    if (this.count >= this.max || this.byClient.of(client) >= this.maxOfClient) return;
    this.byClient.add(client);
    const waiters = this.waiting.get(key) ?? new Set();
    this.waiting.set(key, waiters);
    let wake!: () => void;
    const news = new Promise<void>((resolve) => (wake = resolve));
    waiters.add(wake);
    const timer = setTimeout(wake, seconds * 1000);
    connection.once("close", wake);
    try {
      await news;
    } finally {
      clearTimeout(timer);
      connection.off("close", wake);
      waiters.delete(wake);
      if (waiters.size === 0 && this.waiting.get(key) === waiters) this.waiting.delete(key);
      this.byClient.remove(client);
    }
  }

  /** Wakes the requests that wait for messages to a key. */
  wake(key: string): void {
    for (const wake of this.waiting.get(key) ?? []) wake();
  }

  /** Wakes all requests. */
  wakeAll(): void {
    for (const key of this.waiting.keys()) this.wake(key);
  }
}
