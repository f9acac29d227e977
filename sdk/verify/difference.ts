import type { AnyEvent } from "../events.js";

/** Where an arena is not what its events lead to. */
export interface Difference {
  /** Left out: it is of no match. */
  matchId?: bigint;
  /** Name of the event, or of the view with its arguments. */
  at: string;
  /** The block of the event. */
  block?: number;
  /** What of it, e.g. `paid1`; or all that can be said of what does not fit at all. */
  what: string;
  expected?: string;
  found?: string;
}

/** Thrown where something differs. */
export class Different extends Error {
  override readonly name = "Different";

  constructor(readonly difference: Difference) {
    super(differenceText(difference));
  }
}

/** A difference as a sentence without its end. */
export function differenceText({ matchId, at, block, what, expected, found }: Difference): string {
  const where = [matchId === undefined ? [] : `match ${matchId}`, at, block === undefined ? [] : `block ${block}`];
  const values = expected === undefined ? "" : `: expected ${expected}, found ${found}`;
  return `${where.flat().join(", ")}: ${what}${values}`;
}

/** Where an event stands. */
export function placeOf(event: AnyEvent): Pick<Difference, "matchId" | "at" | "block"> {
  const matchId = "matchId" in event.args ? event.args.matchId : undefined;
  return { ...(matchId !== undefined && { matchId }), at: event.name, block: event.block };
}
