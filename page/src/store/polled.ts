import { signal, type ReadonlySignal } from "@preact/signals";

/**
 * Makes a signal that is read again and again as long as anything watches it. What fails is tried again.
 * @param first Value until one is read.
 * @param pause Waits until the next read may begin; it is called when one begins.
 */
export function polled<T>(first: T, read: () => Promise<T>, pause: () => Promise<void>): ReadonlySignal<T> {
  /** Distinguishes one watch from the next, which may begin while the last one still waits. */
  let watch: symbol | undefined;
  const value = signal(first, {
    watched: () => void poll((watch = Symbol())),
    unwatched: () => (watch = undefined),
  });
  const poll = async (own: symbol) => {
    while (watch === own) {
      // What ends it early may happen during the read, whose answer may be from before.
      const pausing = pause();
      try {
        value.value = await read();
      } catch {
        // The next read may succeed.
      }
      await pausing;
    }
  };
  return value;
}
