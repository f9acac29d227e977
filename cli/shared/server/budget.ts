import { setTimeout as pause } from "node:timers/promises";

/** Maximum number of clients whose use is tracked. */
const MAX_CLIENTS = 10_000;

/** Amount that a client may use at once, and the amount regained each second. */
export interface Allowance {
  burst: number;
  perSecond: number;
}

/** Tracks each client's use of its allowance. */
export class Budget {
  /** Amount that each client had used, and when; the least recently active client comes first. */
  private readonly used = new Map<string, { amount: number; time: number }>();

  /**
   * @param patience Maximum milliseconds that a client waits once it has used up its allowance.
   * @param now Returns milliseconds since a fixed time.
   * @param free Clients that may use any amount.
   */
  constructor(
    private readonly allowance: Allowance,
    private readonly patience: number,
    private readonly now: () => number,
    private readonly free: ReadonlySet<string> = new Set(),
  ) {}

  /**
   * Uses an amount, and waits until the allowance covers it.
   * @returns false if that would take too long; then nothing is used.
   */
  async use(client: string, amount: number): Promise<boolean> {
    const { burst, perSecond } = this.allowance;
    const wait = ((this.usedBy(client) + amount - burst) / perSecond) * 1000;
    if (wait > this.patience) return false;
    this.charge(client, amount);
    if (wait > 0) await pause(wait);
    return true;
  }

  /** Uses an amount without a wait; later uses wait for it instead. */
  charge(client: string, amount: number): void {
    if (this.free.has(client)) return;
    const total = this.usedBy(client) + amount;
    this.used.delete(client);
    this.used.set(client, { amount: total, time: this.now() });
    if (this.used.size > MAX_CLIENTS) this.used.delete(this.used.keys().next().value!);
  }

  private usedBy(client: string): number {
    const { amount, time } = this.used.get(client) ?? { amount: 0, time: 0 };
    return Math.max(0, amount - (this.allowance.perSecond * (this.now() - time)) / 1000);
  }
}
