/** Runs `npm run index`, which stores the history and the rankings of a deployment, and answers queries about them. */
import { once } from "node:events";
import type { BlockList } from "node:net";
import { InputError } from "../sdk/protocol/input.js";
import { addProxies, exitCodeOf, programOf } from "../cli/shared/command/program.js";
import { ServerLog } from "../cli/shared/server/server-log.js";
import { CommandContext } from "../cli/shared/command/context.js";
import { HOST, INDEX_PORT, portOf } from "../cli/shared/server/port.js";
import { Indexer, type IndexerOptions } from "./indexer.js";

const DESCRIPTION = `Keep history and rankings of a deployment of Duello, and answer questions about them by GraphQL.

It reads the events of the deployment, and nothing else. Rows are kept in an embedded database in cache/index, or in the Postgres that DATABASE_URL names.`;

/** Services of the index, by name. */
const PLACES = [
  ["GraphQL", "/graphql"],
  ["health", "/health"],
  ["ready", "/ready"],
] as const;

const SQL = ["SQL", "/sql/db"] as const;

interface Flags {
  rpc?: string;
  network?: string;
  games?: string;
  port: string;
  host: string;
  serve?: boolean;
  sql?: boolean;
  json?: boolean;
  trustProxy?: BlockList;
}

const program = addProxies(programOf("index", DESCRIPTION))
  .option("--port <number>", "port of the index", String(INDEX_PORT))
  .option("--host <address>", "address to listen on; others than this machine's reach it by another", HOST)
  .option("--serve", "only serve what another process indexes into the same Postgres")
  .option("--json", "log objects of JSON")
  .option("--sql", "answer questions in SQL at /sql/db too; with the embedded database only for yourself")
  .action(run);

process.exitCode = await exitCodeOf(program, process.argv.slice(2));

async function run({
  port: written,
  host,
  serve = false,
  sql = false,
  json,
  trustProxy,
  ...flags
}: Flags): Promise<void> {
  const port = portOf("--port", written);
  const database = process.env.DATABASE_URL;
  if (serve && !database) throw new InputError("--serve", "DATABASE_URL names no Postgres that is shared");
  const serverLog = new ServerLog(json);
  const context = await CommandContext.open(flags);
  try {
    await keep(context, serverLog, {
      deployment: () => context.readDeployment(),
      provider: context.provider,
      rpc: context.urls,
      port,
      host,
      database,
      isReplica: serve,
      proxies: trustProxy,
      hasSql: sql,
      onLog: serverLog.warn,
    });
  } finally {
    context.close();
  }
}

/** Keeps an index running until the process receives SIGINT or SIGTERM. @throws Error if the port is taken */
async function keep(
  { chainId, addresses }: CommandContext,
  { greet }: ServerLog,
  options: IndexerOptions,
): Promise<void> {
  const indexer = await Indexer.start(options);
  greet(`Index of chain ${chainId}, arena ${addresses.Arena}, until you stop it with Ctrl-C:`);
  for (const [name, path] of options.hasSql ? [...PLACES, SQL] : PLACES) {
    greet(`  ${name.padEnd(10)}${indexer.url}${path}`);
  }
  const stopped = Promise.race([once(process, "SIGINT"), once(process, "SIGTERM")]);
  const ready = indexer.ready().then(
    async () => greet(`Everything up to block ${await indexer.block()} is indexed.`),
    () => undefined,
  );
  await stopped;
  await indexer.stop();
  await ready;
}
