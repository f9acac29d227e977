import { effect, signal } from "@preact/signals";
import type { Player } from "./player.ts";

/**
 * The person, while an account is connected and a chain is shown. The code that sets it is loaded after the first
 * paint.
 */
export const player = signal<Player | undefined>(undefined);

/** Waits for the person whose account is connected: the code that plays may still be loading. */
export function loadedPlayer(): Promise<Player> {
  return new Promise((resolve) => {
    const stop = effect(() => {
      const you = player.value;
      if (!you) return;
      resolve(you);
      queueMicrotask(() => stop());
    });
  });
}
