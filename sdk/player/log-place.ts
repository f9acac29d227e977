/** Thrown if two programs write to one log at the same time. */
export class LogConflict extends Error {
  override readonly name = "LogConflict";
}

/** @throws LogConflict unless an entry's place follows the last entry. @param count Number of entries. */
export function checkPlace(count: number, place: number): void {
  if (count === place) return;
  throw new LogConflict(`The log has ${count} entries, not ${place}: another program plays this seat.`);
}
