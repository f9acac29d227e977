import { randomUUID } from "node:crypto";
import { argv } from "node:process";
import { pathToFileURL } from "node:url";
import { readIn, type PonderDatabase } from "./database.js";

/** Maximum number of tables that a query may join. */
const MAX_TABLES = 3;
/** Maximum rows of an answer. */
const MAX_ROWS = 1000;
/** Maximum cost that the planner may estimate. The unit is the time to read a page of 8 kB. */
const MAX_COST = 200_000;
/** Maximum bytes of a row of an answer, and maximum characters of parameters: functions can multiply their input. */
const MAX_ROW = 32_000;
const MAX_PARAMS = 500;

/** Parts of a query that can multiply its work beyond what the planner expects. */
const REFUSED = new Set(["WithClause", "withClause", "RangeSubselect", "RangeFunction", "SubLink"]);

/** Thrown for a query that is rejected, in one line. */
export class SqlRefused extends Error {
  override readonly name = "SqlRefused";
}

/** An SQL query, with the values of its parameters. */
interface SqlQuestion {
  sql: string;
  params: unknown[];
}

/** Parser of Ponder, which it does not export. */
interface Parser {
  parseSQLQuery: (sql: string) => Promise<unknown>;
  validateAllowableSQLQuery: (sql: string) => Promise<void>;
}

/** Path of the parser, relative to Ponder's program, which runs this module. */
const PARSER = "../utils/sql-parse.js";
const parser = import(new URL(PARSER, pathToFileURL(argv[1])).href) as Promise<Parser>;

/** Reads the query of a request, in the format of `@ponder/client`. @throws SqlRefused */
export function questionOf(written: string | undefined): SqlQuestion {
  if (written === undefined) throw new SqlRefused('the parameter "sql" is missing');
  try {
    const { sql, params = [] } = (JSON.parse(written) as { json: { sql: unknown; params?: unknown } }).json;
    if (typeof sql === "string" && Array.isArray(params)) return { sql, params: params as unknown[] };
  } catch {
    // The sentence below describes the expected form.
  }
  throw new SqlRefused('the parameter "sql" is not {"json":{"sql":"…","params":[…]}}');
}

/**
 * Answers a query if it reads only a few tables, all of the index, and the database expects little work.
 * @param tables Names of the tables.
 * @throws SqlRefused; any error of the database about the query.
 */
export async function askSql(
  database: PonderDatabase,
  schema: string,
  tables: ReadonlySet<string>,
  { sql, params }: SqlQuestion,
): Promise<{ rows: object[] }> {
  await check(sql, tables);
  const given = JSON.stringify(params).length;
  if (given > MAX_PARAMS)
    throw new SqlRefused(`its parameters have ${given} characters, and ${MAX_PARAMS} is the most`);
  // A row that is too long causes a database error instead of an answer: a division by zero.
  const isShort = `1 / (octet_length(answer::text) <= ${MAX_ROW})::int = 1`;
  const limited = `select * from (\n${sql.trim().replace(/;$/, "")}\n) as answer where ${isShort} limit ${MAX_ROWS + 1}`;
  return readIn(database, schema, async (run) => {
    const [plan] = (await run(`explain (format json) ${limited}`, params)).rows;
    const [{ Plan: expected }] = plan["QUERY PLAN"] as { Plan: { "Total Cost": number } }[];
    const cost = Math.round(expected["Total Cost"]);
    if (cost > MAX_COST) throw new SqlRefused(`the database expects a cost of ${cost}, and ${MAX_COST} is the most`);
    const { rows } = await run(limited, params);
    if (rows.length > MAX_ROWS) throw new SqlRefused(`there are more than ${MAX_ROWS} rows: ask with a limit`);
    return { rows };
  });
}

/** Checks what a query reads, and how. @throws SqlRefused */
async function check(sql: string, tables: ReadonlySet<string>): Promise<void> {
  const { parseSQLQuery, validateAllowableSQLQuery } = await parser;
  const read: string[] = [];
  const walk = (node: unknown): void => {
    if (typeof node !== "object" || node === null) return;
    for (const [name, value] of Object.entries(node)) {
      if (REFUSED.has(name)) throw new SqlRefused("WITH and subqueries are not supported");
      if (name === "RangeVar") read.push((value as { relname: string }).relname);
      walk(value);
    }
  };
  try {
    walk(await parseSQLQuery(sql));
    // Ponder caches its decisions under 40 bits of a hash, and two queries with the same bits are easy to find.
    await validateAllowableSQLQuery(`${sql}\n--${randomUUID()}`);
  } catch (error) {
    throw error instanceof SqlRefused ? error : new SqlRefused((error as Error).message);
  }
  const other = read.find((name) => !tables.has(name));
  if (other !== undefined) throw new SqlRefused(`"${other}" is not a table of the index`);
  if (read.length > MAX_TABLES) throw new SqlRefused(`${read.length} tables are joined, and ${MAX_TABLES} is the most`);
}
