/** Milliseconds before a retry. */
const RETRY = 1000;

/** Maximum number of times that the wait doubles while a task keeps failing. */
const MAX_DOUBLINGS = 4;

/** Times at which tasks are due again. */
export class RetrySchedule<T> {
  private readonly times = new Map<T, number>();
  private readonly failures = new Map<T, number>();
  private readonly early = new Set<T>();

  /** True if no task is postponed. */
  get isEmpty(): boolean {
    return this.times.size === 0;
  }

  /** Returns whether a task is due. */
  isDue(what: T): boolean {
    return Date.now() >= (this.times.get(what) ?? 0);
  }

  /** Postpones a task that was too early until the next block, or until its retry is due. */
  waitForBlock(what: T): void {
    this.early.add(what);
    this.times.set(what, Date.now() + RETRY);
  }

  /** Postpones a task that failed, longer each time. */
  recordFailure(what: T): void {
    const failures = (this.failures.get(what) ?? 0) + 1;
    this.failures.set(what, failures);
    this.early.delete(what);
    this.times.set(what, Date.now() + RETRY * 2 ** Math.min(failures, MAX_DOUBLINGS));
  }

  /** Makes a task due, and forgets its failures. */
  clear(what: T): void {
    this.failures.delete(what);
    this.early.delete(what);
    this.times.delete(what);
  }

  /** Makes all tasks due that were too early. */
  onNewBlock(): void {
    for (const what of this.early) this.times.delete(what);
    this.early.clear();
  }
}
