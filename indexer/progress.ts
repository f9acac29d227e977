/** Milliseconds within which the index must reach a block of the chain. */
const MAX_DELAY = 60_000;

/** Progress of an index along its chain, from samples of the latest block of each. */
export class Progress {
  /** Block that the index must reach next, and when this goal was set. */
  private goal?: { block: number; since: number };

  /**
   * Records a sample.
   * @param head Latest block of the chain.
   * @param indexed Latest block of the index.
   * @param now Time in milliseconds.
   */
  note(head: number, indexed: number, now: number): void {
    // A reorganisation can lower the head below the goal.
    if (this.goal === undefined || indexed >= Math.min(this.goal.block, head)) this.goal = { block: head, since: now };
  }

  /** True if the index has not reached the goal in time, or if the chain or the index could not be read. */
  isStalled(now: number): boolean {
    return this.goal !== undefined && now - this.goal.since > MAX_DELAY;
  }
}
