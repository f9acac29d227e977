import { postgresFolder, PostgresServer } from "../../scripts/postgres-server.js";

/**
 * Starts a server of Postgres with an empty database, on 127.0.0.1, for one test. Its data need not survive a crash, and
 * query plans must not depend on the time of an automatic analysis.
 * @returns undefined where Postgres is not installed.
 * @throws Error for that in CI
 */
export async function startPostgresIfInstalled(): Promise<PostgresServer | undefined> {
  const programs = postgresFolder();
  if (programs === undefined) {
    if (process.env.CI) throw new Error("Postgres is not installed.");
    console.log("      Postgres is not installed here: apt-get install postgresql.");
    return undefined;
  }
  const server = await PostgresServer.create(programs, ["fsync=off", "autovacuum=off"]);
  await server.launch();
  return server;
}
