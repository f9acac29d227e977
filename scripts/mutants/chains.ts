import hre from "hardhat";

type Connection = Awaited<ReturnType<typeof hre.network.create>>;

/**
 * Lets a process take its chains back to their start, so that no test with a mutant depends on what earlier tests left
 * there. Fixtures are then loaded again, with the mutant. A chain without fixtures stays as it is: a module may keep what
 * it wrote there.
 * @param prepare Called with each new chain, and again with all chains whenever they are taken back.
 * @returns a function that takes the chains back
 */
export function restartable(prepare: (connection: Connection) => Promise<void> = async () => {}): () => Promise<void> {
  const connections = new Set<Connection>();
  const starts = new Map<Connection, { restore(): Promise<void> }>();
  hre.hooks.registerHandlers("network", {
    newConnection: async (context, next) => {
      const connection = await next(context);
      const { networkHelpers } = connection;
      const [start, loadFixture] = [await networkHelpers.takeSnapshot(), networkHelpers.loadFixture];
      networkHelpers.loadFixture = (fixture) => {
        starts.set(connection, start);
        return loadFixture(fixture);
      };
      connections.add(connection);
      await prepare(connection);
      return connection;
    },
    closeConnection: async (context, connection, next) => {
      connections.delete(connection);
      starts.delete(connection);
      await next(context, connection);
    },
  });
  return async () => {
    for (const [{ networkHelpers }, start] of starts) {
      networkHelpers.clearSnapshots();
      await start.restore();
    }
    for (const connection of connections) await prepare(connection);
  };
}
