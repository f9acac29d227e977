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
import { postgresStore, SHARED_LIMITS } from "./postgres/store.js";
import { Relay } from "./relay.js";

const DESCRIPTION = `Run a relay until it is stopped. A relay passes the messages of channels between their players, stores them, and lists searches for opponents.

It accepts only messages that a player has signed, shows them to everybody, and holds no secrets. It uses the node only once, when it starts. It stores messages in a folder that no other relay uses. If RELAY_STORE is set, for example to postgresql://USER:PASSWORD@HOST/DATABASE, it stores messages and searches in that database instead, which any number of relays can share. It exits with 0 when it is stopped, 1 if it fails, and 2 for a wrong command line.`;

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
    .option("--host <address>", "address to listen on; 0.0.0.0 accepts connections from other machines", HOST)
    .option("--data <folder>", "folder for messages, unless RELAY_STORE is set; defaults to a folder in DUELLO_HOME")
    .option(
      "--metrics <address>",
      "address that serves /metrics for Prometheus and /health, e.g. 127.0.0.1:9464; none by default",
    )
    .option(
      "--own <addresses>",
      "addresses of your own programs, e.g. 10.0.0.7: no limit on their requests, streams and new channels",
      (written: string) => readClients(written, "--own"),
    )
    .option("--json", "log one JSON object per line")
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
      const name = deploymentName(at, genesis);
      const storing =
        database === undefined
          ? { store: folderStore(join(data ?? join(vault.folder, "relay"), name)) }
          : { store: postgresStore(database, name), limits: SHARED_LIMITS };
      const relay = await Relay.start({ ...at, ...storing, ...listening, onTrouble: serverLog.warn });
      serverLog.greet(`The relay is at ${relay.url} until you stop it with Ctrl-C.`);
      if (listening.metrics) serverLog.greet(`It serves metrics for Prometheus at ${relay.metricsUrl}.`);
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
