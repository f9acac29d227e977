import { signal } from "@preact/signals";
import type { Player } from "./player.ts";

/**
 * The person, while an account is connected and a chain is shown. The code that sets this signal is loaded after the
 * first paint.
 */
export const player = signal<Player | undefined>(undefined);
