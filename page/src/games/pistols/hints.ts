import type { HintMoment } from "../game.ts";

const HINTS = [
  "The upper bars show what your shot does at each number of paces. The lower ones show how the duel may end.",
  "You both live, so blades decide. Choose two actions, or one that takes both slots.",
];

/** Returns a newcomer's hint before paces, before blades, and after the duel. */
export function hintAt({ turns, isOver }: HintMoment): string | undefined {
  return isOver ? "In rated duels your paces count as honour, and honour changes your later chances." : HINTS[turns];
}
