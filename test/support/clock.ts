import type { Clock } from "../../sdk/chain/waiting.js";

/** A clock whose time advances as soon as every task waits. */
export class QuickClock implements Clock {
  /** Milliseconds of each wait. */
  readonly waits: number[] = [];
  private time = 0;
  private readonly sleepers: { due: number; wake: () => void }[] = [];

  now(): number {
    return this.time;
  }

  pause(milliseconds: number): Promise<void> {
    this.waits.push(milliseconds);
    return new Promise((wake) => {
      this.sleepers.push({ due: this.time + milliseconds, wake });
      if (this.sleepers.length === 1) setTimeout(() => this.pass(), 1);
    });
  }

  random(): number {
    return 1 / 2;
  }

  /** Wakes the first waiting task. */
  private pass(): void {
    this.sleepers.sort((one, other) => one.due - other.due);
    const { due, wake } = this.sleepers.shift()!;
    this.time = Math.max(this.time, due);
    wake();
    if (this.sleepers.length > 0) setTimeout(() => this.pass(), 1);
  }
}
