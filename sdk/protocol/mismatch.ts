/** In what something differs. */
export interface Mismatch {
  /** What of it, e.g. `paid1`; or all that can be said of what does not fit at all. */
  what: string;
  expected?: string;
  found?: string;
}

/** The same as a sentence without its end. */
export function mismatchText({ what, expected, found }: Mismatch): string {
  return expected === undefined ? what : `${what}: expected ${expected}, found ${found}`;
}
