import { PostgresServer } from "../../scripts/postgres-server.js";

export { postgresFolder } from "../../scripts/postgres-server.js";

/**
 * Starts a server of Postgres with an empty database, on 127.0.0.1, for one test. Its data need not survive a crash, and
 * query plans must not depend on the time of an automatic analysis.
 */
export async function startPostgres(programs: string): Promise<PostgresServer> {
  const server = await PostgresServer.create(programs, ["fsync=off", "autovacuum=off"]);
  await server.launch();
  return server;
}
