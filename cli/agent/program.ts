import { join } from "node:path";
import { readJson } from "../shared/files/json.js";
import { CommandContext, type Options } from "../shared/command/context.js";
import { addAccount, addExamples, addRelays, exitCodeOf, programOf } from "../shared/command/program.js";
import { Agent } from "./agent.js";
import { EventLog } from "./event-log.js";
import { AgentMetrics } from "./metrics.js";
import { addressOf, urlOfServer, type Address } from "../shared/server/port.js";
import { acquireLock } from "../shared/files/lock.js";
import { IndexTrouble } from "../../sdk/chain/index-client.js";
import { IndexedPast } from "../../sdk/chain/indexed-history.js";
import { policyLines } from "../../sdk/player/agent-forecast.js";
import { readPolicy } from "../../sdk/player/policy.js";
import { isKind } from "../../sdk/protocol/error-kind.js";
import { indexedGames, openIndex } from "../shared/match/command-index.js";

const DESCRIPTION = `Run a program that plays as an ordinary player until it is stopped.

Name its account as in npm run play: by --account N, --keystore FILE, or DUELLO_PRIVATE_KEY. Without --config it plays all games without stakes. With --secrets and without --config it only watches those matches.

It exits with 0 when stopped, 1 when it cannot play, 2 for a wrong command line, policy or relay.`;

/** Options of the agent's command line. */
interface AgentOptions extends Options {
  /** Path of the policy. */
  config?: string;
  /** Paths of exported secrets, for the matches to watch. */
  secrets?: readonly string[];
  /** Path of the log. */
  log?: string;
  /** Address of an index. */
  index?: string;
  /** Host and port for monitoring. */
  metrics?: string;
}

/** Runs an agent until the process receives SIGINT or SIGTERM. @returns the exit code. */
export async function agent(args: readonly string[]): Promise<number> {
  const program = addRelays(addAccount(programOf("agent", DESCRIPTION)))
    .option("--config <file>", "policy: the games and stakes that it takes")
    .option("--secrets <files...>", "exported secrets of matches to watch for their players")
    .option("--log <file>", "file for the log, a JSON object per line; in DUELLO_HOME by default")
    .option("--index <url>", "an index to read opponents' past from; that of the policy or DUELLO_INDEX by default")
    .option(
      "--metrics <address>",
      "where to serve counts for Prometheus and /health, e.g. 127.0.0.1:9465; nowhere by default",
    )
    .option("--json", "print the JSON of the log in place of text")
    .action(async (options: AgentOptions) => {
      const context = await CommandContext.open(options);
      const stop = new AbortController();
      for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => stop.abort());
      await runAgent(context, options, stop.signal).finally(() => context.close());
    });
  addExamples(program, ["--account 1", "--keystore agent.json --config policy.json"]);
  return exitCodeOf(program, args);
}

/** Runs an agent until the signal aborts. @throws Error if another agent plays for the same player. */
export async function runAgent(context: CommandContext, options: AgentOptions, signal: AbortSignal): Promise<void> {
  const { config, secrets = [], json } = options;
  const address = options.metrics === undefined ? undefined : addressOf("--metrics", options.metrics);
  const policy = await readPolicy(config === undefined ? {} : await readJson(config), context);
  const { chainId, arena, player } = await context.keys.scope();
  const name = join(context.vault.folder, "agents", `${chainId}-${arena}-${player}`);
  const release = acquireLock(`${name}.lock`, `An agent plays for ${player}`);
  try {
    const eventLog = new EventLog(options.log ?? `${name}.jsonl`, json);
    await readPastFrom(context, options.index ?? policy.index ?? process.env.DUELLO_INDEX ?? "", eventLog);
    const plays = config !== undefined || secrets.length === 0;
    const agent = await Agent.open(context, { policy, plays, secrets }, eventLog);
    const stopMetrics = address && (await serveMetrics(agent, eventLog, address));
    const games = plays ? [...policy.games.keys()].join(", ") : "nothing, but watch matches for others";
    const text = `I am ${player}, and play ${games}. My log: ${eventLog.file}`;
    eventLog.report({ event: "started", text: [text, ...(plays ? policyLines(policy) : [])] });
    await agent.run(signal).finally(stopMetrics);
    eventLog.report({ event: "stopped", text: "I stop here; open matches go on when I am started again." });
  } finally {
    release();
  }
}

/** Serves log counts and the agent's health. @returns a function that stops it. @throws Error if the port is taken */
async function serveMetrics(agent: Agent, eventLog: EventLog, address: Address): Promise<() => void> {
  const metrics = new AgentMetrics();
  metrics.gauge("matches", "Open matches that concern it.", () => agent.matches);
  const channels = () => agent.channels?.counts ?? { channels: 0, matches: 0, sponsored: 0 };
  metrics.gauge("channels", "Channels at which it sits.", () => channels().channels);
  metrics.gauge("channel_matches", "Matches in play in channels.", () => channels().matches);
  metrics.gauge("sponsored_matches", "Matches of others that it has paid for today.", () => channels().sponsored);
  eventLog.onEvent = (event) => metrics.count(event);
  const server = await metrics.serve(address, () => agent.problems());
  // Without a listener an error ends the process, for example if no file descriptor is left for a connection.
  server.on("error", (error) => eventLog.reportTrouble("monitoring", `My monitoring fails: ${error.message}`));
  const url = urlOfServer(server);
  const text = `I serve counts for Prometheus at ${url}/metrics, and my health at ${url}/health.`;
  eventLog.report({ event: "monitored", text });
  return () => {
    server.close();
    server.closeAllConnections();
  };
}

/**
 * Makes a command read opponents' earlier matches from an index. If the index fails, and for the agent's own matches,
 * the command reads the chain.
 * @param url Address of the index; empty for none.
 */
async function readPastFrom(context: CommandContext, url: string, eventLog: EventLog): Promise<void> {
  if (url === "") return;
  const { provider, addresses, deployment } = context;
  const onTrouble = (trouble?: IndexTrouble) =>
    eventLog.reportTrouble("index", trouble && `${trouble.message} I read of the chain what opponents did.`);
  const open = () => openIndex(context, url);
  const use = { open, games: indexedGames(context), onTrouble };
  context.history = new IndexedPast(provider, addresses, deployment.block, use, context.onBlocks);
  await open().catch((error: unknown) => {
    if (!isKind(error, IndexTrouble)) throw error;
    onTrouble(error);
  });
}
