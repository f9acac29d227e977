import type { HintMoment } from "../game.ts";
import { FOUGHT } from "../teams/hints.ts";

/** Returns a newcomer's hint before the team is chosen, and after the fight. */
export function hintAt({ isOver }: HintMoment): string {
  return isOver ? FOUGHT : "A card strikes the one in its own slot first, and a type hurts the one that it beats more.";
}
