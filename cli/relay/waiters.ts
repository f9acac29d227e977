import type { EventEmitter } from "node:events";
import { Tally } from "../shared/server/tally.js";

/** End of a wait: by news or a disconnect, after the maximum time, or immediately because too many streams wait. */
export type WaitEnd = "woken" | "late" | "refused";

/** Streams that wait for messages, by session key. */
export class Waiters {
  private readonly waiting = new Map<string, Set<() => void>>();
  private readonly byClient = new Tally();

  /**
   * @param max Maximum number of streams that wait at once; others are refused.
   * @param maxOfClient Maximum number for one client.
   * @param free Clients without a maximum of their own.
   */
  constructor(
    private readonly max: number,
    private readonly maxOfClient: number,
    private readonly free: ReadonlySet<string> = new Set(),
  ) {}

  /** Number of streams that wait. */
  get count(): number {
    return this.byClient.total;
  }

  /**
   * Waits until there is a new message for a key, the client has disconnected, or the time is over.
   * @param connection Emits `close` once the client is gone.
   */
  async wait(key: string, client: string, seconds: number, connection: EventEmitter): Promise<WaitEnd> {
    const isTooMany = this.byClient.of(client) >= this.maxOfClient && !this.free.has(client);
    if (this.count >= this.max || isTooMany) return "refused";
    this.byClient.add(client);
    const waiters = this.waiting.get(key) ?? new Set();
    this.waiting.set(key, waiters);
    let end!: (end: WaitEnd) => void;
    const ended = new Promise<WaitEnd>((resolve) => (end = resolve));
    const wake = () => end("woken");
    waiters.add(wake);
    const timer = setTimeout(() => end("late"), seconds * 1000);
    connection.once("close", wake);
    try {
      return await ended;
    } finally {
      clearTimeout(timer);
      connection.off("close", wake);
      waiters.delete(wake);
      if (waiters.size === 0 && this.waiting.get(key) === waiters) this.waiting.delete(key);
      this.byClient.remove(client);
    }
  }

  /** Wakes the streams that wait for messages to a key; all streams without a key. */
  wake(key?: string): void {
    const woken = key === undefined ? [...this.waiting.values()] : [this.waiting.get(key) ?? []];
    for (const wakes of woken) for (const wake of wakes) wake();
  }
}
