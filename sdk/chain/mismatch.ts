import { mismatchText, type Mismatch } from "../protocol/mismatch.js";
import type { AnyEvent } from "./events.js";

/** Where an arena is not what its events lead to. */
export interface LocatedMismatch extends Mismatch {
  /** Left out: it is of no match. */
  matchId?: bigint;
  /** Name of the event, or of the view with its arguments. */
  at: string;
  /** The block of the event. */
  block?: number;
}

/** Thrown where something differs. */
export class MismatchError extends Error {
  override readonly name = "MismatchError";

  constructor(readonly mismatch: LocatedMismatch) {
    super(locatedMismatchText(mismatch));
  }
}

/** A difference as a sentence without its end. */
export function locatedMismatchText({ matchId, at, block, ...mismatch }: LocatedMismatch): string {
  const where = [matchId === undefined ? [] : `match ${matchId}`, at, block === undefined ? [] : `block ${block}`];
  return `${where.flat().join(", ")}: ${mismatchText(mismatch)}`;
}

/** What an event says otherwise than it must. */
export function mismatchAt(event: AnyEvent, what: string, expected: unknown, found: unknown): LocatedMismatch {
  return { ...placeOf(event), what, expected: String(expected), found: String(found) };
}

/** Where an event is. */
export function placeOf({ name, args, block }: AnyEvent): Pick<LocatedMismatch, "matchId" | "at" | "block"> {
  return { ...("matchId" in args && { matchId: args.matchId }), at: name, block };
}
