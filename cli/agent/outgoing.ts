import type { ChannelCall } from "../../sdk/player/channels/player.js";

/** Maximum number of calls in one transaction, and of hexadecimal characters of their data. */
const MAX_JOINED = 32;
const MAX_LENGTH = 100_000;

/** Transaction of a seat. */
export interface SeatCall<Seat> {
  seat: Seat;
  call: ChannelCall;
}

/** Transaction of a seat that waits for its turn. */
interface Outgoing<Seat> extends SeatCall<Seat> {
  /** True if it must not be joined with others: together with them, the chain would refuse it. */
  isAlone: boolean;
  done(): void;
  failed(error: unknown): void;
}

/** Functions with which waiting transactions are sent. */
export interface Sending<Seat> {
  /** Sends a transaction, and returns whether it was sent. */
  send(one: SeatCall<Seat>): Promise<boolean>;
  /** Returns whether a transaction can be joined with others. */
  mayJoin(one: SeatCall<Seat>): boolean;
  /** Sends several transactions as one. @returns false, before anything is sent, if the chain would refuse that one */
  sendJoined(several: readonly SeatCall<Seat>[]): Promise<boolean>;
}

/** Transactions of seats that wait until the agent sends them, one after the other. */
export class OutgoingQueue<Seat> {
  private readonly waiting: Outgoing<Seat>[] = [];
  private stir = new AbortController();

  /** Signal that is aborted when a transaction has been queued; `takeStir` makes a new one. */
  get stirred(): AbortSignal {
    return this.stir.signal;
  }

  /** True if transactions wait to be sent. */
  get hasCalls(): boolean {
    return this.waiting.length > 0;
  }

  /** Returns whether transactions wait to be sent, and makes a new signal for the next one. */
  takeStir(): boolean {
    if (this.stir.signal.aborted) this.stir = new AbortController();
    return this.hasCalls;
  }

  /** Queues a transaction, and returns once it is mined. */
  async put(seat: Seat, call: ChannelCall): Promise<void> {
    await new Promise<void>((done, failed) => {
      this.waiting.push({ seat, call, isAlone: false, done, failed });
      this.stir.abort();
    });
  }

  /**
   * Sends the next transaction that waits, the most urgent first, and in the same transaction those that can join it.
   * @returns whether something was sent, or has failed
   */
  async sendNext({ send, mayJoin, sendJoined }: Sending<Seat>): Promise<boolean> {
    const sorted = this.waiting.toSorted((a, b) => byUrgency(a.call, b.call));
    const [next] = sorted;
    if (!next) return false;
    const canJoin = (one: Outgoing<Seat>) => !one.isAlone && mayJoin(one);
    const several = canJoin(next) ? fitting(sorted.filter(canJoin)) : [];
    if (several.length > 1) return this.sendSeveral(several, sendJoined);
    this.remove([next]);
    try {
      const isSent = await send(next);
      next.done();
      return isSent;
    } catch (error) {
      next.failed(error);
      return true;
    }
  }

  private async sendSeveral(
    several: readonly Outgoing<Seat>[],
    sendJoined: Sending<Seat>["sendJoined"],
  ): Promise<boolean> {
    this.remove(several);
    try {
      const isSent = await sendJoined(several);
      if (isSent) for (const { done } of several) done();
      else this.waiting.unshift(...several.map((one) => ({ ...one, isAlone: true })));
    } catch (error) {
      for (const { failed } of several) failed(error);
    }
    return true;
  }

  private remove(sent: readonly Outgoing<Seat>[]): void {
    for (const one of sent) this.waiting.splice(this.waiting.indexOf(one), 1);
  }

  /** Fails all waiting transactions. */
  fail(error: Error): void {
    for (const { failed } of this.waiting.splice(0)) failed(error);
  }
}

/** Returns the first transactions that fit into one. */
function fitting<Seat>(sorted: readonly Outgoing<Seat>[]): Outgoing<Seat>[] {
  let length = 0;
  return sorted.slice(0, MAX_JOINED).filter(({ call }) => (length += call.data.length) <= MAX_LENGTH);
}

/** Returns whether a transaction neither answers a match whose clock runs, nor opens a channel. */
export function isRoutine(call: Urgent): boolean {
  return rankOf(call) === 1;
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
