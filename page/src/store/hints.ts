import { keepLocal, localValue } from "./local.ts";

/** Name of the list in the browser's storage: the moments of each game whose hints were shown. */
const NAME = "duello.hints";

/** Takes the hint of a moment of a game, which is shown once. @returns false if it was shown, or a later one was */
export function takeHint(game: string, moment: number): boolean {
  const kept = (localValue(NAME) ?? {}) as Readonly<Record<string, number>>;
  if (moment <= (kept[game] ?? -1)) return false;
  keepLocal(NAME, { ...kept, [game]: moment });
  return true;
}
