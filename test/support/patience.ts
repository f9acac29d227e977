import { setTimeout as pause } from "node:timers/promises";

/**
 * Milliseconds after which a missing event is treated as a hang, even on a slow machine. Half of Mocha's own limit, so
 * that the message of a failed test names the event.
 */
export const PATIENCE = 600_000;

const PAUSE = 100;

/** Polls until a value is returned. @throws Error of the last poll after the time limit */
export async function eventually<T>(look: () => Promise<T>): Promise<T> {
  for (const start = performance.now(); ; await pause(PAUSE)) {
    try {
      return await look();
    } catch (error) {
      // oxlint-disable-next-line eslint-js/no-restricted-syntax -- the one limit
      if (performance.now() - start > PATIENCE) throw error;
    }
  }
}
