import hre from "hardhat";

type Connection = Awaited<ReturnType<typeof hre.network.create>>;

/**
 * Lets a process take all of its chains back to their start, so that no test with a mutant depends on what earlier tests
 * left there. Fixtures are then loaded again, with the mutant.
 * @param prepare Called with each new chain, and with each that is back at its start.
 * @returns a function that takes all chains back
 */
export function restartable(prepare: (connection: Connection) => Promise<void> = async () => {}): () => Promise<void> {
  const starts = new Map<Connection, { restore(): Promise<void> }>();
  hre.hooks.registerHandlers("network", {
    newConnection: async (context, next) => {
      const connection = await next(context);
      starts.set(connection, await connection.networkHelpers.takeSnapshot());
      await prepare(connection);
      return connection;
    },
    closeConnection: async (context, connection, next) => {
      starts.delete(connection);
      await next(context, connection);
    },
  });
  return async () => {
    for (const [connection, start] of starts) {
      connection.networkHelpers.clearSnapshots();
      await start.restore();
      await prepare(connection);
    }
  };
}
