import { signal } from "@preact/signals";
import type { Chain } from "./chain.ts";

/** The chain shown; undefined for a page of practice alone. The code that sets it is loaded after the first paint. */
export const chain = signal<Chain | undefined>(undefined);
