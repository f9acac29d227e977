import { signal, type ReadonlySignal } from "@preact/signals";

/**
 * Makes a signal that is refreshed while it is watched. Failed reads are retried.
 * @param first Value until the first read.
 * @param pause Waits until the next read may begin; called when a read begins.
 */
export function polled<T>(first: T, read: () => Promise<T>, pause: () => Promise<void>): ReadonlySignal<T> {
  /** Distinguishes one watch from the next, which may begin while the previous one is still waiting. */
  let watch: symbol | undefined;
  const value = signal(first, {
    watched: () => void poll((watch = Symbol())),
    unwatched: () => (watch = undefined),
  });
  const poll = async (own: symbol) => {
    while (watch === own) {
      // The event that ends the pause early may occur during the read, and then the answer may be outdated.
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
