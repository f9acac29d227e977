import type { EventEmitter } from "node:events";
import { Tally } from "../shared/server/tally.js";

/** Requests that wait for messages, by match. */
export class Waiters {
  private readonly waiting = new Map<bigint, Set<() => void>>();
  private readonly byClient = new Tally();

  /**
   * @param max Requests that wait at once, at most; more do not wait.
   * @param maxOfClient Those of one client.
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
   * Waits until there is news of a match, the client is gone, or the time is over.
   * @param connection Emits `close` once the client is gone.
   * @param isNews True if there is news already. What it reads is not kept meanwhile: those who wait are many, and what
   * they wait for may be long.
   */
  async wait(
    matchId: bigint,
    client: string,
    seconds: number,
    connection: EventEmitter,
    isNews: () => Promise<boolean>,
  ): Promise<void> {
    if (this.count >= this.max || this.byClient.of(client) >= this.maxOfClient) return;
    this.byClient.add(client);
    const waiters = this.waiting.get(matchId) ?? new Set();
    this.waiting.set(matchId, waiters);
    let wake!: () => void;
    const news = new Promise<void>((resolve) => (wake = resolve));
    waiters.add(wake);
    const timer = setTimeout(wake, seconds * 1000);
    connection.once("close", wake);
    try {
      // Looked for behind the waiter: what comes meanwhile wakes it.
      if (!(await isNews())) await news;
    } finally {
      clearTimeout(timer);
      connection.off("close", wake);
      waiters.delete(wake);
      if (waiters.size === 0 && this.waiting.get(matchId) === waiters) this.waiting.delete(matchId);
      this.byClient.remove(client);
    }
  }

  /** Wakes those who wait for news of a match. */
  wake(matchId: bigint): void {
    for (const wake of this.waiting.get(matchId) ?? []) wake();
  }

  /** Wakes all. */
  wakeAll(): void {
    for (const matchId of this.waiting.keys()) this.wake(matchId);
  }
}
