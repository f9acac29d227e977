/** Milliseconds within which the index must come to a block of the chain. */
const MAX_DELAY = 60_000;

/** Progress of an index along its chain, by what is seen of both now and then. */
export class Progress {
  /** Block that the index has to come to next, and when it was seen. */
  private goal?: { block: number; since: number };

  /**
   * Notes what was seen.
   * @param head Latest block of the chain.
   * @param indexed Latest block of the index.
   * @param now Time in milliseconds.
   */
  note(head: number, indexed: number, now: number): void {
    // A reorganisation can take the goal back.
    if (this.goal === undefined || indexed >= Math.min(this.goal.block, head)) this.goal = { block: head, since: now };
  }

  /** True if the index has not come to the goal in time, or if the chain or the index could not be seen. */
  isStalled(now: number): boolean {
    return this.goal !== undefined && now - this.goal.since > MAX_DELAY;
  }
}
