/** Running totals by name. */
export class Tally {
  /** Sum of all totals. */
  total = 0;
  private readonly sums = new Map<string, number>();

  of(name: string): number {
    return this.sums.get(name) ?? 0;
  }

  add(name: string, amount = 1): void {
    this.total += amount;
    this.sums.set(name, this.of(name) + amount);
  }

  remove(name: string, amount = 1): void {
    this.total -= amount;
    const left = this.of(name) - amount;
    if (left > 0) this.sums.set(name, left);
    else this.sums.delete(name);
  }
}
