import type { Context } from "ponder:registry";

/** Tables of the index, writable. */
export type Db = Context["db"];
