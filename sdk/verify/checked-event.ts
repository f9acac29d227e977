import type { AnyEvent } from "../chain/events.js";
import { mismatchAt, type LocatedMismatch } from "../chain/mismatch.js";

/** An event of the arena as it is looked at: what came before it, and the first thing in it that cannot have been. */
export class CheckedEvent {
  mismatch?: LocatedMismatch;

  /**
   * @param time Of its block, in seconds.
   * @param last The arena's event before it.
   */
  constructor(
    readonly event: AnyEvent,
    readonly time: bigint,
    readonly last?: AnyEvent,
  ) {}

  equal(what: string, expected: unknown, found: unknown): void {
    this.assert(what, expected === found, expected, found);
  }

  assert(what: string, holds: boolean, expected: unknown, found: unknown): void {
    if (holds) return;
    this.mismatch ??= mismatchAt(this.event, what, expected, found);
  }

  /** Whether the event before is of this name, of the same match and in the same transaction. */
  follows(name: "Joined" | "Acted", matchId: bigint): boolean {
    const { last, event } = this;
    return last?.name === name && last.args.matchId === matchId && last.transaction === event.transaction;
  }
}
