import { signal } from "@preact/signals";
import type { Chain } from "./chain.ts";

/** The chain that is shown; undefined for a page of practice alone. What sets it is loaded after the first paint. */
export const chain = signal<Chain | undefined>(undefined);
