import { signal } from "@preact/signals";
import type { Player } from "./player.ts";

/** The person, when an account is connected and a chain is shown. What sets it is loaded after the first paint. */
export const player = signal<Player | undefined>(undefined);
