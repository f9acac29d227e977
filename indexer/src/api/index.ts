import { Hono } from "hono";
import { client, graphql, type ReadonlyDrizzle } from "ponder";
import { db } from "ponder:api";
import schema from "ponder:schema";
import { ownSetting } from "../../setting.js";
import { withTables } from "./tables.js";

const { folder, schema: name } = ownSetting();

const app = new Hono();

app.use("/sql/*", client({ db: folder === undefined ? db : ofTables(db), schema }));
app.use("/graphql", graphql({ db, schema }));

export default app;

/** Session of a database, as far as SQL of others is run in it. */
interface Session {
  prepareQuery(query: { sql: string }, ...rest: unknown[]): unknown;
}

/**
 * Returns a database in which SQL of others finds the tables of the index. In the embedded one Ponder writes in the same
 * session, through temporary tables of the same names, which would be found in their place.
 */
function ofTables<D extends ReadonlyDrizzle<typeof schema>>(database: D): D {
  const { session } = (database as unknown as { _: { session: Session } })._;
  const own = Object.create(session) as Session;
  const tables = Object.keys(schema);
  own.prepareQuery = (query, ...rest) =>
    session.prepareQuery({ ...query, sql: withTables(query.sql, name, tables) }, ...rest);
  const inner = Object.create((database as unknown as { _: object })._, { session: { value: own } }) as unknown;
  return Object.create(database, { _: { value: inner } }) as D;
}
