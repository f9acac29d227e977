/** Limits work that runs in parallel. If no place is free, the caller waits in line. */
export class Places {
  private readonly line: (() => void)[] = [];

  /** @param free Number of places. */
  constructor(private free: number) {}

  /** Takes a place as soon as one is free. */
  async enter(): Promise<void> {
    if (this.free > 0) this.free--;
    else await new Promise<void>((enter) => this.line.push(enter));
  }

  /** Gives a place to the next in line. */
  leave(): void {
    const next = this.line.shift();
    if (next) next();
    else this.free++;
  }
}
