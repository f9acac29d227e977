import { deviationText, type Deviation } from "../deviation.js";
import type { AnyEvent } from "../events.js";

/** Where an arena is not what its events lead to. */
export interface Difference extends Deviation {
  /** Left out: it is of no match. */
  matchId?: bigint;
  /** Name of the event, or of the view with its arguments. */
  at: string;
  /** The block of the event. */
  block?: number;
}

/** Thrown where something differs. */
export class Different extends Error {
  override readonly name = "Different";

  constructor(readonly difference: Difference) {
    super(differenceText(difference));
  }
}

/** A difference as a sentence without its end. */
export function differenceText({ matchId, at, block, ...deviation }: Difference): string {
  const where = [matchId === undefined ? [] : `match ${matchId}`, at, block === undefined ? [] : `block ${block}`];
  return `${where.flat().join(", ")}: ${deviationText(deviation)}`;
}

/** Where an event stands. */
export function placeOf(event: AnyEvent): Pick<Difference, "matchId" | "at" | "block"> {
  const matchId = "matchId" in event.args ? event.args.matchId : undefined;
  return { ...(matchId !== undefined && { matchId }), at: event.name, block: event.block };
}
