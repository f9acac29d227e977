import type { HintMoment } from "../game.ts";

const HINTS = [
  "Three in a row win. The centre lies in four rows, a corner in three.",
  "Look for two of theirs in a row: mark the third cell, unless you can win at once.",
  "Try to threaten two rows with one mark: only one of them can be stopped.",
];

/** Returns a newcomer's hint before each of the first marks. */
export function hintAt({ turns, isOver }: HintMoment): string | undefined {
  return isOver ? undefined : HINTS[turns];
}
