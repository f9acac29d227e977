/** Milliseconds after which what was too early, or went wrong, is tried again. */
const RETRY = 1000;

/** What goes wrong again and again waits twice as long each time, so many times. */
const MAX_DOUBLINGS = 4;

/** When to try what again. */
export class RetrySchedule<T> {
  private readonly times = new Map<T, number>();
  private readonly failures = new Map<T, number>();
  private readonly early = new Set<T>();

  /** Whether it is time to. */
  isDue(what: T): boolean {
    return Date.now() >= (this.times.get(what) ?? 0);
  }

  /** It was too early: again after a while, or when there is another block. */
  waitForBlock(what: T): void {
    this.early.add(what);
    this.times.set(what, Date.now() + RETRY);
  }

  /** It went wrong. */
  recordFailure(what: T): void {
    const failures = (this.failures.get(what) ?? 0) + 1;
    this.failures.set(what, failures);
    this.times.set(what, Date.now() + RETRY * 2 ** Math.min(failures, MAX_DOUBLINGS));
  }

  /** It is done, or to be tried at once. */
  clear(what: T): void {
    this.failures.delete(what);
    this.times.delete(what);
  }

  /** There is another block. */
  onNewBlock(): void {
    for (const what of this.early) this.times.delete(what);
    this.early.clear();
  }
}
