import { Busy } from "../server/busy.js";
import { Tally } from "../server/tally.js";

/** Runs a bounded number of actions at once. Others wait for a limited time; clients take turns, however many wait. */
export class FairQueue {
  private readonly running = new Tally();
  /**
   * Functions that start waiting actions, by client, in the order of the clients' turns. A client waits only while all
   * slots are taken, or while it uses all slots that one client may use.
   */
  private readonly queues = new Map<string, Set<() => void>>();

  /**
   * @param places Maximum number of parallel actions. @param patience Maximum milliseconds for which an action waits.
   * @param clientPlaces Maximum number of parallel actions of one client.
   */
  constructor(
    private readonly places: number,
    private readonly patience: number,
    private readonly clientPlaces = places,
  ) {}

  /** Number of actions that wait. */
  get waiting(): number {
    return [...this.queues.values()].reduce((sum, { size }) => sum + size, 0);
  }

  /** Runs an action once a slot is free. @throws Busy if that takes too long, or the error of the action */
  async run<T>(client: string, action: () => Promise<T>): Promise<T> {
    if (this.hasPlaceFor(client)) this.running.add(client);
    else await this.turnOf(client);
    try {
      return await action();
    } finally {
      this.running.remove(client);
      this.passOn();
    }
  }

  private hasPlaceFor(client: string): boolean {
    return this.running.total < this.places && this.running.of(client) < this.clientPlaces;
  }

  /** Waits until a running action has ended. */
  private async turnOf(client: string): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      const queue = this.queues.get(client) ?? new Set();
      this.queues.set(client, queue);
      const start = () => {
        clearTimeout(timer);
        resolve();
      };
      const timer = setTimeout(() => {
        queue.delete(start);
        if (queue.size === 0) this.queues.delete(client);
        reject(new Busy("queue", "the server is busy"));
      }, this.patience);
      queue.add(start);
    });
  }

  /** Gives a slot to the first client that may have one. That client then queues behind all others. */
  private passOn(): void {
    for (const [client, queue] of this.queues) {
      if (!this.hasPlaceFor(client)) continue;
      const [start] = queue;
      queue.delete(start);
      this.queues.delete(client);
      if (queue.size > 0) this.queues.set(client, queue);
      this.running.add(client);
      return start();
    }
  }
}
