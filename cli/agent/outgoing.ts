import type { ChannelCall } from "../../sdk/player/channels/player.js";

/** Transaction of a seat that waits for its turn. */
interface Outgoing<Seat> {
  seat: Seat;
  call: ChannelCall;
  done(): void;
  failed(error: unknown): void;
}

/** Transactions of seats that wait until the agent sends them, one after the other. */
export class OutgoingQueue<Seat> {
  private readonly waiting: Outgoing<Seat>[] = [];
  private stir = new AbortController();

  /** Signal that is aborted when a transaction has been queued; `takeStir` makes a new one. */
  get stirred(): AbortSignal {
    return this.stir.signal;
  }

  /** Returns whether transactions wait to be sent. */
  takeStir(): boolean {
    if (this.stir.signal.aborted) this.stir = new AbortController();
    return this.waiting.length > 0;
  }

  /** Queues a transaction, and returns once it is mined. */
  async put(seat: Seat, call: ChannelCall): Promise<void> {
    await new Promise<void>((done, failed) => {
      this.waiting.push({ seat, call, done, failed });
      this.stir.abort();
    });
  }

  /**
   * Sends the next transaction that waits, the most urgent first.
   * @param send Sends a transaction, and returns whether it was sent.
   * @returns whether something was sent, or has failed
   */
  async sendNext(send: (seat: Seat, call: ChannelCall) => Promise<boolean>): Promise<boolean> {
    const [next] = this.waiting.toSorted((a, b) => byUrgency(a.call, b.call));
    if (!next) return false;
    this.waiting.splice(this.waiting.indexOf(next), 1);
    try {
      const isSent = await send(next.seat, next.call);
      next.done();
      return isSent;
    } catch (error) {
      next.failed(error);
      return true;
    }
  }

  /** Fails all waiting transactions. */
  fail(error: Error): void {
    for (const { failed } of this.waiting.splice(0)) failed(error);
  }
}

/**
 * Compares transactions by urgency. Those for matches in the arena come first, since their clock runs: larger stakes
 * first, because junk costs a stranger little. Openings of channels come last. Others keep their order.
 */
export function byUrgency(a: Urgent, b: Urgent): number {
  const [one, other] = [a.answers, b.answers];
  if (!one || !other) return rankOf(a) - rankOf(b);
  if (one.stake !== other.stake) return one.stake > other.stake ? -1 : 1;
  return one.deadline - other.deadline;
}

type Urgent = Pick<ChannelCall, "what" | "answers">;

function rankOf({ what, answers }: Urgent): number {
  if (answers) return 0;
  return what.startsWith("open") ? 2 : 1;
}
