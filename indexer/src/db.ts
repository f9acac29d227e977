import type { Context } from "ponder:registry";

/** Tables of the index, to change. */
export type Db = Context["db"];
