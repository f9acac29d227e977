import type { EventEmitter } from "node:events";

/** Requests that wait for messages, by match. */
export class Waiters {
  private readonly waiting = new Map<bigint, Set<() => void>>();
  private count = 0;

  /** @param max Requests that wait at once, at most; more do not wait. */
  constructor(private readonly max: number) {}

  /**
   * Waits until there is news of a match, the client is gone, or the time is over.
   * @param client Emits `close` once the client is gone.
   * @param isNews Tells if there is news already. What it reads is not kept meanwhile: those who wait are many, and what
   * they wait for may be long.
   */
  async wait(matchId: bigint, seconds: number, client: EventEmitter, isNews: () => Promise<boolean>): Promise<void> {
    if (this.count >= this.max) return;
    const waiters = this.waiting.get(matchId) ?? new Set();
    this.waiting.set(matchId, waiters);
    this.count++;
    let wake!: () => void;
    const news = new Promise<void>((resolve) => (wake = resolve));
    waiters.add(wake);
    const timer = setTimeout(wake, seconds * 1000);
    client.once("close", wake);
    try {
      // Looked for behind the waiter: what comes meanwhile wakes it.
      if (!(await isNews())) await news;
    } finally {
      clearTimeout(timer);
      client.off("close", wake);
      waiters.delete(wake);
      if (waiters.size === 0 && this.waiting.get(matchId) === waiters) this.waiting.delete(matchId);
      this.count--;
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
