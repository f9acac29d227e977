import { deviationText, type Deviation } from "../protocol/deviation.js";
import type { AnyEvent } from "./events.js";

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

/** What an event says otherwise than it must. */
export function differenceAt(event: AnyEvent, what: string, expected: unknown, found: unknown): Difference {
  return { ...placeOf(event), what, expected: String(expected), found: String(found) };
}

/** Where an event is. */
export function placeOf({ name, args, block }: AnyEvent): Pick<Difference, "matchId" | "at" | "block"> {
  return { ...("matchId" in args && { matchId: args.matchId }), at: name, block };
}
