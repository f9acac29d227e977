import { signal } from "@preact/signals";
import type { Chain } from "./chain.ts";

/** The chain shown; undefined on a page for practice only. The code that sets it is loaded after the first paint. */
export const chain = signal<Chain | undefined>(undefined);
