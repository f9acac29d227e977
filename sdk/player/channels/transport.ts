import { machineClock } from "../../chain/waiting.js";

/** Messages that were read. */
export interface ReadLines {
  /** Messages as JSON. */
  lines: string[];
  /** Place where the next read starts. */
  seen: number;
  /** False if there were no more messages. */
  isMore: boolean;
}

/** Options of a wait for messages. */
export interface NewsOptions {
  /** Milliseconds to wait at most. */
  waitMs: number;
  /** Ends the wait, which then throws the signal's reason. */
  signal?: AbortSignal;
}

/**
 * Connection between the players of one channel. The connection is not trusted: it may lose, repeat, reorder, invent
 * and hold back messages.
 */
export interface ChannelTransport {
  /** Sends a message as JSON, which may have been sent before. @throws Error if the message is not accepted */
  put(line: string): Promise<void>;
  /**
   * Reads messages of both players, some at a time.
   * @param seen Place that the previous read returned; 0 to start.
   */
  after(seen: number): Promise<ReadLines>;
  /** Returns once there may be messages after a place, or the time is over, even if the transport fails. */
  news(seen: number, options: NewsOptions): Promise<void>;
}

/**
 * Transport in memory that both players share.
 * @example
 * ```ts
 * import { MemoryChannelTransport } from "duello";
 *
 * const transport = new MemoryChannelTransport();
 * await transport.put('{"type":"open"}');
 * (await transport.after(0)).seen; // => 1
 * ```
 */
export class MemoryChannelTransport implements ChannelTransport {
  /** All messages, oldest first. */
  readonly lines: string[] = [];
  private readonly waiters = new Set<() => void>();

  async put(line: string): Promise<void> {
    if (this.lines.includes(line)) return;
    this.lines.push(line);
    for (const wake of this.waiters) wake();
  }

  async after(seen: number): Promise<ReadLines> {
    return { lines: this.lines.slice(seen), seen: this.lines.length, isMore: false };
  }

  async news(seen: number, { waitMs, signal }: NewsOptions): Promise<void> {
    if (seen !== this.lines.length) return;
    const over = new AbortController();
    let wake!: () => void;
    const woken = new Promise<void>((resolve) => (wake = resolve));
    this.waiters.add(wake);
    try {
      const stop = signal ? AbortSignal.any([signal, over.signal]) : over.signal;
      await Promise.race([woken, machineClock.pause(waitMs, stop)]);
    } finally {
      this.waiters.delete(wake);
      over.abort();
    }
  }
}
