import type { BlockList } from "node:net";
import { join } from "node:path";
import { channelsOf } from "../../sdk/chain/channels.js";
import { hashOf } from "../../sdk/chain/source.js";
import { genesisMark } from "../shared/node/chain-mark.js";
import { readClients } from "../shared/server/client-address.js";
import { addressOf, HOST, portOf, RELAY_PORT } from "../shared/server/port.js";
import { ServerLog } from "../shared/server/server-log.js";
import { addExamples, addProxies, exitCodeOf, programOf } from "../shared/command/program.js";
import { CommandContext, type Options } from "../shared/command/context.js";
import type { ChannelsAt } from "../../sdk/protocol/channels/messages.js";
import { folderStore } from "./folder/store.js";
import { postgresStore } from "./postgres/store.js";
import { Relay } from "./relay.js";

const DESCRIPTION = `Run a relay: it passes the messages of channels between their players, keeps them, and lists who searches for a player, until it is stopped.

It takes only what a player has signed, shows it to everybody, and holds nothing secret. It asks the node once, when it starts. Messages are kept in a folder of one relay, or in the Postgres that RELAY_STORE names, which any number of relays share. It exits with 0 when stopped, 1 when it fails, 2 for a wrong command line.`;

/** Options of the relay's command line. */
interface Flags {
  rpc?: string;
  network?: string;
  games?: string;
  port: string;
  host: string;
  data?: string;
  trustProxy?: BlockList;
  own?: ReadonlySet<string>;
  metrics?: string;
  json?: boolean;
}

/** Runs a relay until the process receives SIGINT or SIGTERM. @returns the exit code. */
export async function relay(args: readonly string[]): Promise<number> {
  const program = addProxies(programOf("relay", DESCRIPTION))
    .option("--port <number>", "port of the relay", String(RELAY_PORT))
    .option("--host <address>", "address to listen on; others than this machine's reach it by another", HOST)
    .option("--data <folder>", "folder of the archive; in DUELLO_HOME by default")
    .option(
      "--metrics <address>",
      "where to serve counts for Prometheus and /health, e.g. 127.0.0.1:9464; nowhere by default",
    )
    .option(
      "--own <addresses>",
      "addresses of the host's programs, e.g. 10.0.0.7: an agent that plays hundreds; they may send any number of requests",
      (written: string) => readClients(written, "--own"),
    )
    .option("--json", "log objects of JSON")
    .action(async ({ port, host, data, trustProxy, own, metrics, json, ...options }: Flags) => {
      const serverLog = new ServerLog(json);
      const listening = {
        port: portOf("--port", port),
        host,
        proxies: trustProxy,
        own,
        metrics: metrics === undefined ? undefined : addressOf("--metrics", metrics),
      };
      const { genesis, vault, ...at } = await deployedOf(options);
      const stopped = new Promise((resolve) => {
        for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, resolve);
      });
      const { RELAY_STORE: database } = process.env;
      const store =
        database === undefined
          ? folderStore(join(data ?? join(vault.folder, "relay"), deploymentName(at, genesis)))
          : postgresStore(database, deploymentName(at, genesis));
      const relay = await Relay.start({ ...at, store, ...listening, onTrouble: serverLog.warn });
      serverLog.greet(`The relay is at ${relay.url} until you stop it with Ctrl-C.`);
      if (listening.metrics) serverLog.greet(`It serves counts for Prometheus at ${relay.metricsUrl}.`);
      await stopped;
      await relay.stop();
    });
  addExamples(program, ["", "--host 0.0.0.0 --trust-proxy 127.0.0.1 --metrics 127.0.0.1:9464"]);
  return exitCodeOf(program, args);
}

/** Names a deployment: all local chains share one id, and each start begins a new chain. */
export function deploymentName({ chainId, channels }: ChannelsAt, genesis: string): string {
  return `${chainId}-${genesisMark(genesis)}-${channels}`;
}

/** Reads from the node which contract the relay serves. */
async function deployedOf(options: Options) {
  const context = await CommandContext.open(options);
  try {
    const { provider, chainId, addresses, vault } = context;
    const genesis = await hashOf(provider, 0);
    return { chainId: BigInt(chainId), channels: channelsOf(addresses.Arena), genesis, vault };
  } finally {
    context.close();
  }
}
