/** Reason for a temporary rejection. */
type BusyReason = "queue" | "stopping";

/** Thrown for a request that is refused now, and may be repeated in a second. */
export class Busy extends Error {
  override readonly name = "Busy";

  constructor(
    readonly reason: BusyReason,
    message: string,
  ) {
    super(message);
  }
}
