import { useEffect, useState } from "preact/hooks";

/** State of something that is loaded. */
export interface Loaded<T> {
  readonly value?: T;
  readonly error?: unknown;
}

/** Milliseconds until data that a node failed to return is loaded again. */
export const RETRY_PAUSE = 3000;

/**
 * Loads data again whenever its keys change; the previous data stays until then.
 * @param load Undefined while there is nothing to load.
 * @param retryPause Milliseconds after which it is loaded again after a failure; defaults to never.
 */
export function useLoaded<T>(
  load: (() => Promise<T>) | undefined,
  keys: readonly unknown[],
  retryPause?: number,
): Loaded<T> {
  const [loaded, setLoaded] = useState<Loaded<T>>({});
  useEffect(() => {
    if (!load) return undefined;
    let isCurrent = true;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const attempt = () =>
      load().then(
        (value) => isCurrent && setLoaded({ value }),
        (error: unknown) => {
          if (!isCurrent) return;
          setLoaded((before) => ({ ...before, error }));
          if (retryPause !== undefined) timer = setTimeout(() => void attempt(), retryPause);
        },
      );
    void attempt();
    return () => {
      isCurrent = false;
      clearTimeout(timer);
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
