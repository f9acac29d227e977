import { signal } from "@preact/signals";
import type { Chain } from "./chain.ts";

/** The chain shown; undefined on a page for practice only. Set by code that is loaded after the first paint. */
export const chain = signal<Chain | undefined>(undefined);
