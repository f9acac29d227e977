import type { IndexClient } from "../chain/index-client.js";
import type { TableName } from "../chain/index-tables.js";
import type { LocatedMismatch } from "../chain/mismatch.js";
import { oneLine } from "../protocol/input.js";
import { keyOf, type ExpectedRows } from "./expected-rows.js";

/** A row of an index, or a column of a row, that differs from the row derived from events. */
export interface IndexMismatch extends LocatedMismatch {
  table: TableName;
  /** Values of the row's key. */
  key: string;
  /** Undefined if the row is missing or superfluous. */
  column?: string;
}

/** Result of a comparison with an index. */
export interface IndexComparison {
  /** The first mismatch; undefined if there is none. */
  mismatch?: IndexMismatch;
  /** Number of rows that were compared. */
  rows: number;
  /** Last block that the index had read when it was queried. */
  block: number;
}

/** Options of a comparison with an index. */
export interface CompareOptions {
  /** Numbers of the matches whose rows are compared; defaults to all rows of all tables. */
  matches?: readonly bigint[];
  /** Called with the number of compared rows, and the number of all rows to compare. */
  onProgress?: (done: number, wanted: number) => void;
}

type Row = Readonly<Record<string, unknown>>;

/** Tables whose rows belong to single matches. */
const OF_MATCHES: readonly TableName[] = ["match", "matchEvent", "channelMatch", "ratingChange"];
/** Maximum characters of a value that are shown. */
const MAX_VALUE = 200;

/**
 * Compares all rows of an index with the rows derived from events.
 * @throws IndexTrouble for an index that stops answering, or whose tables have another form.
 * @example
 * ```ts
 * import { Archive, compareIndex, expectedRows, games, locatedMismatchText } from "duello";
 *
 * const expected = await expectedRows(await Archive.read(provider, addresses, 1), games);
 * const { mismatch, rows } = await compareIndex(index, expected);
 * console.log(mismatch ? locatedMismatchText(mismatch) : `${rows} rows agree.`);
 * ```
 */
export async function compareIndex(
  client: IndexClient,
  expected: ExpectedRows,
  { matches, onProgress }: CompareOptions = {},
): Promise<IndexComparison> {
  const tables = matches ? OF_MATCHES : (Object.keys(expected) as TableName[]);
  const wanted = new Map(tables.map((table) => [table, rowsOf(expected, table, matches)]));
  const total = [...wanted.values()].reduce((sum, rows) => sum + rows.length, 0);
  const done = { rows: 0, block: 0 };
  for (const [table, rows] of wanted) {
    const mismatch = await compareTable(client, table, rows, matches, (count, block) => {
      done.rows += count;
      done.block = Math.max(done.block, block);
      onProgress?.(done.rows, total);
    });
    if (mismatch) return { mismatch, ...done };
  }
  return done;
}

function rowsOf(expected: ExpectedRows, table: TableName, matches?: readonly bigint[]): readonly Row[] {
  const rows: readonly Row[] = expected[table];
  return matches ? rows.filter(({ matchId }) => matches.includes(matchId as bigint)) : rows;
}

/** Compares a table, regardless of the order of the index's rows. @returns The first mismatch. */
async function compareTable(
  client: IndexClient,
  table: TableName,
  expected: readonly Row[],
  matches: readonly bigint[] | undefined,
  onRows: (count: number, block: number) => void,
): Promise<IndexMismatch | undefined> {
  const missing = new Map(expected.map((row) => [keyOf(table, row), row]));
  const known = new Set(missing.keys());
  const where = matches && { matchId_in: matches };
  for await (const { rows, block } of client.pages(table, { where })) {
    onRows(rows.length, block);
    for (const row of rows as Row[]) {
      const key = keyOf(table, row);
      const wanted = missing.get(key);
      // A duplicate row is superfluous.
      if (!wanted) return rowMismatch(table, row, "none", known.has(key) ? "another one" : "one");
      missing.delete(key);
      const mismatch = columnMismatch(table, wanted, row);
      if (mismatch) return mismatch;
    }
  }
  const [first] = missing.values();
  return first && rowMismatch(table, first, "one", "none");
}

function rowMismatch(table: TableName, row: Row, expected: string, found: string): IndexMismatch {
  return { ...placeOf(table, row), what: "the row", expected, found };
}

function columnMismatch(table: TableName, expected: Row, found: Row): IndexMismatch | undefined {
  for (const [column, value] of Object.entries(expected)) {
    const [wanted, is] = [value, found[column]].map(valueText);
    if (wanted === is) continue;
    return { ...placeOf(table, expected), column, what: column, ...told(wanted, is) };
  }
  return undefined;
}

/** Shortens two different values for display, starting a little before the first difference. */
function told(expected: string, found: string): { expected: string; found: string } {
  let same = 0;
  while (expected[same] === found[same]) same++;
  const from = Math.max(expected.length, found.length) > MAX_VALUE ? Math.max(0, same - MAX_VALUE / 2) : 0;
  const cut = (value: string) => oneLine(`${from > 0 ? "…" : ""}${value.slice(from)}`, MAX_VALUE);
  return { expected: cut(expected), found: cut(found) };
}

function placeOf(table: TableName, row: Row): Pick<IndexMismatch, "at" | "table" | "key"> {
  const key = keyOf(table, row);
  return { at: `the index's ${table}(${key})`, table, key };
}

/** Writes a value so that equal values give equal text. */
function valueText(value: unknown): string {
  if (value === undefined || value === null) return "nothing";
  const written = plain(value);
  return typeof written === "string" ? written : JSON.stringify(written);
}

/** Sorts the fields of objects by name, because a database has its own order, and writes integers in decimal. */
function plain(value: unknown): unknown {
  if (typeof value === "bigint") return String(value);
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== "object" || value === null) return value;
  const fields = Object.entries(value).map(([name, field]): [string, unknown] => [name, plain(field)]);
  return Object.fromEntries(fields.sort(([a], [b]) => (a < b ? -1 : 1)));
}
