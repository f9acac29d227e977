import { keepLocal, localValue } from "./local.ts";

/** Name of the list in the browser's storage: the moments of each game whose hints were shown. */
const NAME = "duello.hints";

/** Marks a game's hint as shown. @returns false if this hint or a later one was shown before */
export function takeHint(game: string, moment: number): boolean {
  const kept = (localValue(NAME) ?? {}) as Readonly<Record<string, number>>;
  if (moment <= (kept[game] ?? -1)) return false;
  keepLocal(NAME, { ...kept, [game]: moment });
  return true;
}
