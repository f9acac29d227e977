/** A value that is not as expected. */
export interface Mismatch {
  /** Name of the value, e.g. `paid1`; without `expected` and `found`, a complete sentence without its full stop. */
  what: string;
  expected?: string;
  found?: string;
}

/** Creates the mismatch of a value. */
export function differs(what: string, expected: unknown, found: unknown): Mismatch {
  return { what, expected: String(expected), found: String(found) };
}

/**
 * Describes a mismatch as a sentence without its full stop.
 * @example
 * ```ts
 * import { mismatchText } from "duello";
 *
 * mismatchText({ what: "paid", expected: "19", found: "20" }); // => "paid: expected 19, found 20"
 * ```
 */
export function mismatchText({ what, expected, found }: Mismatch): string {
  return expected === undefined ? what : `${what}: expected ${expected}, found ${found}`;
}
