import hre from "hardhat";

type Connection = Awaited<ReturnType<typeof hre.network.create>>;

/**
 * Takes all chains of this process back to their start when asked to: a test with a mutant must fail there, whatever
 * earlier tests have left on a chain. Their fixtures were loaded without this mutant.
 * @param prepare Called for each new chain, and for each that is back at its start.
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
