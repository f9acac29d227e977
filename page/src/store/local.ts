/** Name of the entry that stores the most recent wallet. */
export const LAST_WALLET = "duello.wallet";

/** Reads an entry of the browser's small storage; undefined if there is none, or the browser stores nothing. */
export function localText(name: string): string | undefined {
  try {
    return localStorage.getItem(name) ?? undefined;
  } catch {
    return undefined;
  }
}

/** Reads an entry that `keepLocal` has written as JSON; undefined if there is none, or it is not JSON. */
export function localValue(name: string): unknown {
  try {
    return JSON.parse(localText(name) ?? "null") ?? undefined;
  } catch {
    return undefined;
  }
}

/** Writes an entry, or removes it if the text is undefined. In a browser that stores nothing, it does nothing. */
export function keepLocalText(name: string, text: string | undefined): void {
  try {
    if (text === undefined) localStorage.removeItem(name);
    else localStorage.setItem(name, text);
  } catch {
    // The value then lasts only while the page is open.
  }
}

/** Writes an entry as JSON, like `keepLocalText`. */
export function keepLocal(name: string, value: unknown): void {
  keepLocalText(name, JSON.stringify(value));
}
