import type { BlockList } from "node:net";
import { join } from "node:path";
import type { Arena } from "../../typechain-types/index.js";
import { hashOf } from "../../sdk/chain/source.js";
import { readAwayFacts } from "../../sdk/player/away/match-facts.js";
import { Seat } from "../../sdk/protocol/status.js";
import { genesisMark } from "../shared/node/chain-mark.js";
import { addressOf, HOST, portOf, RELAY_PORT } from "../shared/server/port.js";
import { ServerLog } from "../shared/server/server-log.js";
import { addExamples, addProxies, exitCodeOf, programOf } from "../shared/command/program.js";
import { CommandContext } from "../shared/command/context.js";
import type { RelayedMatch } from "./facts-cache.js";
import { Relay } from "./relay.js";

const DESCRIPTION = `Run a relay: it passes the messages of matches that are played away from the chain between their players, and keeps them, until it is stopped.

It takes only what a player of a match has signed, shows it to everybody, and holds nothing secret. It exits with 0 when stopped, 1 when it fails, 2 for a wrong command line.`;

/** Options of the relay's command line. */
interface Flags {
  rpc?: string;
  network?: string;
  games?: string;
  port: string;
  host: string;
  data?: string;
  trustProxy?: BlockList;
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
    .option("--json", "log objects of JSON")
    .action(async ({ port, host, data, trustProxy, metrics, json, ...options }: Flags) => {
      const serverLog = new ServerLog(json);
      const listening = {
        port: portOf("--port", port),
        host,
        proxies: trustProxy,
        metrics: metrics === undefined ? undefined : addressOf("--metrics", metrics),
      };
      const context = await CommandContext.open(options);
      try {
        const { provider, chainId, arena, addresses, vault } = context;
        const stopped = new Promise((resolve) => {
          for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, resolve);
        });
        const relay = await Relay.start({
          chainId: BigInt(chainId),
          arena: addresses.Arena,
          folder: archiveFolder(
            data ?? join(vault.folder, "relay"),
            chainId,
            await hashOf(provider, 0),
            addresses.Arena,
          ),
          ...listening,
          readMatch: (matchId) => relayedMatch(arena, matchId),
          onTrouble: serverLog.warn,
        });
        serverLog.greet(`The relay is at ${relay.url} until you stop it with Ctrl-C.`);
        if (listening.metrics) serverLog.greet(`It serves counts for Prometheus at ${relay.metricsUrl}.`);
        await stopped;
        await relay.stop();
      } finally {
        context.close();
      }
    });
  addExamples(program, ["", "--host 0.0.0.0 --trust-proxy 127.0.0.1 --metrics 127.0.0.1:9464"]);
  return exitCodeOf(program, args);
}

/** Returns the folder of the archive of a deployment: all local chains share one id, and each start begins a new one. */
export function archiveFolder(folder: string, chainId: number, genesis: string, arena: string): string {
  return join(folder, `${chainId}-${genesisMark(genesis)}-${arena}`);
}

/** Reads a match for a relay; undefined for one that nobody has joined. */
export async function relayedMatch(arena: Arena, matchId: bigint): Promise<RelayedMatch | undefined> {
  const facts = await readAwayFacts(arena, matchId);
  if (facts?.turn !== Seat.Either) return facts;
  return { ...facts, position: await arena.positionOf(matchId) };
}
