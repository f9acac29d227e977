import type { Sql } from "postgres";

/** Runs a query. @throws Refusal if the database fails; the failure is reported */
export type Query = <T>(query: (sql: Sql) => Promise<T>) => Promise<T>;
