import { Hono } from "hono";
import { graphql } from "ponder";
import { db } from "ponder:api";
import schema from "ponder:schema";
import { ownSetting } from "../../setting.js";
import { requireKey } from "./access.js";
import { keepStatistics, limitReads, writeAtomically, type PonderDatabase } from "./database.js";
import { limitFields } from "./fields.js";
import { askSql, questionOf, SqlRefused } from "./sql.js";

const { schema: name, key, hasSql } = ownSetting();

/** Maximum size of a GraphQL query: the query for the schema itself has the most tokens and levels. */
const GRAPHQL_LIMITS = { maxOperationTokens: 400, maxOperationDepth: 25 };

// Ponder runs this module before it indexes or serves anything.
const database = (globalThis as unknown as { PONDER_DATABASE: PonderDatabase }).PONDER_DATABASE;
writeAtomically(database);
// The limit of SQL queries is a cost that the planner estimates. It is higher without statistics, and so refuses more.
if (!hasSql) keepStatistics(database);
limitReads(database);
requireKey(key);

const app = new Hono();

app.use("/graphql", limitFields, graphql({ db, schema }, GRAPHQL_LIMITS));

if (hasSql) {
  const tables = new Set(Object.keys(schema).map((table) => table.replace(/[A-Z]/g, (c) => `_${c.toLowerCase()}`)));
  app.get("/sql/db", async (c) => {
    try {
      return c.json(await askSql(database, name, tables, questionOf(c.req.query("sql"))));
    } catch (error) {
      const reason = (error as Error).message;
      return c.text(error instanceof SqlRefused ? `The question is not run: ${reason}.` : reason, 400);
    }
  });
}

export default app;
