import { differs, mismatchText, type Mismatch } from "../protocol/mismatch.js";
import type { AnyEvent } from "./events.js";

/** A mismatch of an event or of a view's answer, and its place. */
export interface LocatedMismatch extends Mismatch {
  /** Number of the match; undefined if the mismatch belongs to no match. */
  matchId?: bigint;
  /** Name of the event, or of the view with its arguments. */
  at: string;
  /** Number of the event's block. */
  block?: number;
}

/**
 * Thrown for a mismatch.
 * @example
 * ```ts
 * import { games, locatedMismatchText, MismatchError, Reading, verify } from "duello";
 *
 * const reading = await Reading.open(provider, addresses);
 * await verify(reading, games).catch((error: unknown) => {
 *   if (error instanceof MismatchError) console.error(locatedMismatchText(error.mismatch));
 * });
 * ```
 */
export class MismatchError extends Error {
  override readonly name = "MismatchError";

  constructor(readonly mismatch: LocatedMismatch) {
    super(locatedMismatchText(mismatch));
  }
}

/**
 * Describes a mismatch and its place as a sentence without its full stop.
 * @example
 * ```ts
 * import { locatedMismatchText } from "duello";
 *
 * const mismatch = { matchId: 7n, at: "Settled", block: 120, what: "paid1", expected: "19", found: "20" };
 * locatedMismatchText(mismatch); // => "match 7, Settled, block 120: paid1: expected 19, found 20"
 * ```
 */
export function locatedMismatchText({ matchId, at, block, ...mismatch }: LocatedMismatch): string {
  const where = [matchId === undefined ? [] : `match ${matchId}`, at, block === undefined ? [] : `block ${block}`];
  return `${where.flat().join(", ")}: ${mismatchText(mismatch)}`;
}

/** Creates the mismatch of a value in an event. @param what Name of the value. */
export function mismatchAt(event: AnyEvent, what: string, expected: unknown, found: unknown): LocatedMismatch {
  return { ...placeOf(event), ...differs(what, expected, found) };
}

/** Returns the place of an event. */
export function placeOf({ name, args, block }: AnyEvent): Pick<LocatedMismatch, "matchId" | "at" | "block"> {
  return "matchId" in args ? { matchId: args.matchId, at: name, block } : { at: name, block };
}
