import type { AnyEvent } from "../chain/events.js";
import { mismatchAt, type LocatedMismatch } from "../chain/mismatch.js";

/** An event of the arena that is being checked. Records the event's first impossible value. */
export class CheckedEvent {
  mismatch?: LocatedMismatch;

  /**
   * @param time Time of the event's block, in seconds since 1970.
   * @param last The arena's previous event.
   */
  constructor(
    readonly event: AnyEvent,
    readonly time: bigint,
    readonly last?: AnyEvent,
  ) {}

  /** Records a mismatch unless a value is as expected. @param what Name of the value. */
  checkEqual(what: string, expected: unknown, found: unknown): void {
    this.check(what, expected === found, expected, found);
  }

  /** Records a mismatch unless a condition holds. @param what Name of the value. */
  check(what: string, holds: boolean, expected: unknown, found: unknown): void {
    if (holds) return;
    this.mismatch ??= mismatchAt(this.event, what, expected, found);
  }

  /** Returns whether the previous event is a player's action or join in the match, in the same transaction. */
  followsAction(matchId: bigint): boolean {
    const { last, event } = this;
    if (last?.name !== "Joined" && last?.name !== "Acted") return false;
    return last.args.matchId === matchId && last.transaction === event.transaction;
  }

  /** Returns whether the previous event declines the match's offer, in the same transaction. */
  followsDeclining(matchId: bigint): boolean {
    const { last, event } = this;
    return last?.name === "Declined" && last.args.matchId === matchId && last.transaction === event.transaction;
  }
}
