/** Maximum rows of a page. */
export const MAX_ROWS = 1000;

/** Page of rows of a table. */
export interface IndexPage<R> {
  rows: R[];
  /** Block up to which the index had read the chain. */
  block: number;
  /** Position of the next page, for `after`; undefined on the last page. */
  next?: string;
}

/** Requested part of a table. */
export interface Paging {
  /** Number of rows, at most 1000; defaults to 50. */
  limit?: number;
  /** Position to start at, as returned with an earlier page. */
  after?: string;
}

/**
 * Reads the first rows of an index, page by page.
 * @param ask Reads a page.
 * @throws like `ask`.
 * @example
 * ```ts
 * import { firstRows } from "duello";
 *
 * const { rows } = await firstRows(500, (paging) => index.byRating(addresses.Pistols, paging));
 * ```
 */
export async function firstRows<R>(
  count: number,
  ask: (paging: Paging) => Promise<IndexPage<R>>,
): Promise<IndexPage<R>> {
  const rows: R[] = [];
  let block = Infinity;
  for (let after: string | undefined; ;) {
    const page = await ask({ limit: Math.min(MAX_ROWS, count - rows.length), after });
    rows.push(...page.rows);
    block = Math.min(block, page.block);
    if (page.next === undefined || rows.length >= count) return { rows, block, next: page.next };
    after = page.next;
  }
}
