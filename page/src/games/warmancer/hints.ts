import type { HintMoment } from "../game.ts";

const HINTS = [
  "If you lose your Throne, you lose the match: keep it behind. Thrones and Traps never move.",
  "A pawn goes one step, a Scout any distance in a free line. A move onto an enemy pawn attacks it.",
  "In a battle the higher rank wins. But a Seer beats a Trap, and an Assassin beats the Warlord.",
];

/** Returns a newcomer's hint before the setup, and before each of the first moves. */
export function hintAt({ turns, isOver }: HintMoment): string | undefined {
  return isOver ? undefined : HINTS[turns];
}
