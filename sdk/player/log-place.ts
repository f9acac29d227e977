/**
 * Thrown if two programs write to one log at the same time.
 * @example
 * ```ts
 * import { LogConflict, MemoryChannelLog } from "duello";
 *
 * const log = new MemoryChannelLog();
 * await log.append({ type: "challenge", nonce: 3, time: 0 }, 7).catch((error: unknown) => {
 *   if (error instanceof LogConflict) console.error("Another program uses this log: stop one of the two.");
 * });
 * ```
 */
export class LogConflict extends Error {
  override readonly name = "LogConflict";
}

/** @throws LogConflict unless an entry's place follows the last entry. @param count Number of entries. */
export function checkPlace(count: number, place: number): void {
  if (count === place) return;
  throw new LogConflict(`The log has ${count} entries, not ${place}: another program plays this seat.`);
}
