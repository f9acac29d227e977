import { keepLocal, localValue } from "./local.ts";

/** Name of the list in the browser's storage: keys of matches with the steps that were seen, the latest last. */
const NAME = "duello.seen";
/** Maximum number of matches that are remembered. */
const MAX = 500;

type Entry = readonly [match: string, steps: number];

/** Adds a match to a list as the latest one; the oldest entries are dropped. */
export function remembered(entries: readonly Entry[], match: string, steps: number): Entry[] {
  return [...entries.filter(([each]) => each !== match), [match, steps] as const].slice(-MAX);
}

/** Returns how many steps of a match were seen in this browser; undefined if the match was not opened before. */
export function seenSteps(match: string): number | undefined {
  return read().find(([each]) => each === match)?.[1];
}

/** Remembers how many steps of a match were seen. A browser without storage plays the match again. */
export function keepSeen(match: string, steps: number): void {
  keepLocal(NAME, remembered(read(), match, steps));
}

function read(): Entry[] {
  const kept = localValue(NAME);
  return Array.isArray(kept) ? kept.filter(isEntry) : [];
}

function isEntry(entry: unknown): entry is Entry {
  return Array.isArray(entry) && typeof entry[0] === "string" && Number.isSafeInteger(entry[1]);
}
