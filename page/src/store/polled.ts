import { signal, type ReadonlySignal } from "@preact/signals";

/**
 * Makes a signal that is read again and again as long as anything watches it. What fails is tried again.
 * @param first Value until one is read.
 * @param pause Waits between two reads.
 */
export function polled<T>(first: T, read: () => Promise<T>, pause: () => Promise<void>): ReadonlySignal<T> {
  /** Tells one watch from the next, which may begin while the last one still waits. */
  let watch: symbol | undefined;
  const value = signal(first, {
    watched: () => void poll((watch = Symbol())),
    unwatched: () => (watch = undefined),
  });
  const poll = async (own: symbol) => {
    while (watch === own) {
      try {
        value.value = await read();
      } catch {
        // The next read may succeed.
      }
      await pause();
    }
  };
  return value;
}
