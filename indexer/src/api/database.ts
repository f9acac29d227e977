import { AsyncLocalStorage } from "node:async_hooks";

/** Milliseconds that a query may take in Postgres. */
const STATEMENT_LIMIT = 5_000;

/**
 * Connections to Postgres for queries. A client's two parallel requests read three lists each, and count their rows,
 * which leaves four connections for others.
 */
const READ_CONNECTIONS = 16;

/** Milliseconds before the statistics of the embedded database are computed: at first, and the maximum. */
const FIRST_STATISTICS = 60_000;
const LAST_STATISTICS = 60 * FIRST_STATISTICS;

/** Rows of an answer. */
export interface Answer {
  rows: Record<string, unknown>[];
}

/** Runs an SQL statement. */
export type Run = (sql: string, params?: unknown[]) => Promise<Answer>;

/** A transaction of PGlite. */
interface PgliteTransaction {
  readonly closed: boolean;
  query: Run;
  exec: (sql: string) => Promise<unknown>;
}

/** Part of PGlite that is used here. */
export interface Pglite {
  query: Run;
  exec: (sql: string) => Promise<unknown>;
  /** Runs a function in a transaction while no other statement runs. */
  transaction: <T>(work: (tx: PgliteTransaction) => Promise<T>) => Promise<T | undefined>;
}

/** A pool of connections to Postgres with read-only sessions. */
interface ReadonlyPool {
  options: { statement_timeout?: number; max: number };
  connect: () => Promise<{ query: Run; release: (error?: unknown) => void }>;
}

/** Part of Ponder's database that is used here. */
export interface PonderDatabase {
  driver: { dialect: "pglite"; instance: Pglite } | { dialect: "postgres"; readonly: ReadonlyPool };
  /** Writes the rows of the index. */
  userQB: { transaction: (...args: unknown[]) => Promise<unknown> };
}

/**
 * Writes each batch of rows to an embedded database in one transaction. Ponder itself writes to PGlite table by table
 * without a transaction: a batch that failed halfway would be repeated on top of some of its own rows.
 */
export function writeAtomically({ driver, userQB }: PonderDatabase): void {
  if (driver.dialect !== "pglite") return;
  const { instance } = driver;
  const current = new AsyncLocalStorage<PgliteTransaction>();
  const open = () => {
    const tx = current.getStore();
    return tx?.closed === false ? tx : undefined;
  };
  const query = instance.query.bind(instance);
  const exec = instance.exec.bind(instance);
  instance.query = (...args) => (open()?.query ?? query)(...args);
  instance.exec = (...args) => (open()?.exec ?? exec)(...args);
  const write = userQB.transaction.bind(userQB);
  userQB.transaction = (...args) =>
    open() ? write(...args) : instance.transaction((tx) => current.run(tx, () => write(...args)));
}

/**
 * Computes the statistics from which the embedded database plans queries, after a minute and then at intervals that
 * double up to an hour. Postgres has a process for this, PGlite has none. Without statistics, the latest matches of a
 * player are found by reading all matches of the player.
 */
export function keepStatistics({ driver }: Pick<PonderDatabase, "driver">, pause = FIRST_STATISTICS): void {
  if (driver.dialect !== "pglite") return;
  const { instance } = driver;
  const compute = async () => {
    // Each table on its own, since all other queries wait. Ponder's temporary tables have the same names.
    const { rows } = await instance.query(
      "select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname = current_schema()",
    );
    for (const { name } of rows) await instance.exec(`analyze ${name as string}`);
  };
  const repeat = () => keepStatistics({ driver }, Math.min(2 * pause, LAST_STATISTICS));
  // The database may be closed meanwhile.
  setTimeout(
    () =>
      void compute()
        .catch(() => undefined)
        .then(repeat),
    pause,
  ).unref();
}

/** Limits the time of each query in Postgres, and the number of parallel queries; PGlite has no time limits. */
export function limitReads({ driver }: PonderDatabase): void {
  if (driver.dialect === "postgres")
    Object.assign(driver.readonly.options, { statement_timeout: STATEMENT_LIMIT, max: READ_CONNECTIONS });
}

/** Runs statements in a transaction that only reads, and finds tables in one schema. */
export async function readIn<T>(
  { driver }: PonderDatabase,
  schema: string,
  work: (run: Run) => Promise<T>,
): Promise<T> {
  // Ponder writes through temporary tables with the same names. They must not shadow its real tables.
  const path = `set local search_path to "${schema}", pg_temp`;
  // PGlite discourages scans of whole tables: its planner expects an absurd cost for them.
  const settings = `set transaction read only; ${path}; set local enable_seqscan to on`;
  if (driver.dialect === "pglite") {
    return (await driver.instance.transaction(async (tx) => {
      await tx.exec(settings);
      return work((sql, params) => tx.query(sql, params));
    }))!;
  }
  const client = await driver.readonly.connect();
  try {
    await client.query(`begin; ${settings}`);
    const result = await work((sql, params) => client.query(sql, params));
    await client.query("commit");
    client.release();
    return result;
  } catch (error) {
    // The session is closed together with an unfinished transaction.
    client.release(true);
    throw error;
  }
}
