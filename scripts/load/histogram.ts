/** Factor between the bounds of neighbouring buckets, so a percentile is at most 2 % too high. */
const STEP = 1.02;
/** Milliseconds up to which times are in the first bucket. */
const FIRST = 0.1;

/** Times in a form that processes send to each other. */
export interface Times {
  /** Longest time in milliseconds. */
  max: number;
  /** Number of times in each bucket; bucket `i` ends with `FIRST * STEP ** i` milliseconds. */
  counts: number[];
}

/** Distribution of times. Its size does not grow with their number. */
export class Histogram {
  readonly times: Times = { max: 0, counts: [] };

  /** @param parts Distributions whose times this one begins with. */
  constructor(...parts: readonly Times[]) {
    for (const { max, counts } of parts) {
      this.times.max = Math.max(this.times.max, max);
      for (const [bucket, count] of counts.entries()) this.count(bucket, count);
    }
  }

  add(milliseconds: number): void {
    this.times.max = Math.max(this.times.max, milliseconds);
    this.count(Math.max(0, Math.ceil(Math.log(milliseconds / FIRST) / Math.log(STEP))), 1);
  }

  /** Number of times. */
  get total(): number {
    return this.times.counts.reduce((sum, count) => sum + count, 0);
  }

  /** Returns the milliseconds within which a share of the times are, e.g. 0.99 of them; 0 without times. */
  percentile(share: number): number {
    const { counts, max } = this.times;
    let left = share * this.total;
    const bucket = counts.findIndex((count) => (left -= count) <= 0);
    return Math.min(max, FIRST * STEP ** Math.max(0, bucket));
  }

  private count(bucket: number, added: number): void {
    const { counts } = this.times;
    while (counts.length <= bucket) counts.push(0);
    counts[bucket] += added;
  }
}
