import { useEffect, useState } from "preact/hooks";

/** State of something that is loaded. */
export interface Loaded<T> {
  readonly value?: T;
  readonly error?: unknown;
}

/**
 * Loads something anew whenever its keys change; what was loaded before stays until then.
 * @param load Undefined while there is nothing to load.
 */
export function useLoaded<T>(load: (() => Promise<T>) | undefined, keys: readonly unknown[]): Loaded<T> {
  const [loaded, setLoaded] = useState<Loaded<T>>({});
  useEffect(() => {
    if (!load) return undefined;
    let isCurrent = true;
    load().then(
      (value) => isCurrent && setLoaded({ value }),
      (error: unknown) => isCurrent && setLoaded((before) => ({ ...before, error })),
    );
    return () => {
      isCurrent = false;
    };
  }, keys);
  return loaded;
}

/** Sets the title of the document while a view is open. */
export function useTitle(title: string): void {
  useEffect(() => {
    titleOfView = title;
    showTitle();
  }, [title]);
}

let titleOfView = "";
let badge = 0;

/** Shows in the title how many matches wait for the player. */
export function setBadge(count: number): void {
  badge = count;
  showTitle();
}

function showTitle(): void {
  const name = titleOfView === "" ? "Duello" : `${titleOfView} · Duello`;
  document.title = badge === 0 ? name : `(${badge}) ${name}`;
}
