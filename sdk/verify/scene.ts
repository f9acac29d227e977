import type { AnyEvent } from "../chain/events.js";
import { differenceAt, type Difference } from "../chain/difference.js";

/** An event of the arena as it is looked at: what came before it, and the first thing in it that cannot have been. */
export class Scene {
  difference?: Difference;

  /**
   * @param time Of its block, in seconds.
   * @param last The arena's event before it.
   */
  constructor(
    readonly event: AnyEvent,
    readonly time: bigint,
    readonly last?: AnyEvent,
  ) {}

  same(what: string, expected: unknown, found: unknown): void {
    this.check(what, expected === found, expected, found);
  }

  check(what: string, holds: boolean, expected: unknown, found: unknown): void {
    if (holds) return;
    this.difference ??= differenceAt(this.event, what, expected, found);
  }

  /** Whether the event before is of this name, of the same match and in the same transaction. */
  follows(name: "Joined" | "Acted", matchId: bigint): boolean {
    const { last, event } = this;
    return last?.name === name && last.args.matchId === matchId && last.transaction === event.transaction;
  }
}
