import type { HintMoment } from "../game.ts";

/** Returns a newcomer's hint before the move, and after the game. */
export function hintAt({ isOver }: HintMoment): string {
  return isOver
    ? "Both moves were fixed before either was shown. Coins and dice follow from random numbers of both players."
    : "You both choose without seeing the other's move.";
}
