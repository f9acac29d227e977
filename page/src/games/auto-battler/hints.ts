import type { HintMoment } from "../game.ts";
import { FOUGHT } from "../teams/hints.ts";

/** Returns a newcomer's hint before the team is chosen, and after the fight. */
export function hintAt({ isOver }: HintMoment): string {
  return isOver
    ? FOUGHT
    : "The order counts. A blow beyond a fighter's range is weaker, and the middle slots reach most.";
}
