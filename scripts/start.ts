import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { formatEther, type JsonRpcProvider, type JsonRpcSigner } from "ethers";
import type { Addresses } from "../sdk/chain/addresses.js";
import { arenaAt } from "../sdk/chain/arena.js";
import { Client } from "../sdk/player/client.js";
import { explain } from "../sdk/player/errors.js";
import { games } from "../sdk/games/index.js";
import { gameNamed } from "../sdk/games/list.js";
import type { GameModule } from "../sdk/games/module.js";
import { History } from "../sdk/chain/history.js";
import { oneLine } from "../sdk/protocol/input.js";
import { Characters__factory, FightToken__factory } from "../typechain-types/index.js";
import { ChainServer } from "./chain-server.js";
import type { Indexer } from "../indexer/indexer.js";
import type { Deployment } from "../sdk/chain/deployment.js";
import { buildManualInBackground, isManualBuilt } from "./manual/build.js";
import { manualSite } from "./manual/site.js";
import { ownGames } from "./page/own-games.js";
import { PageServer } from "./page/server.js";
import { builtSite } from "./page/site.js";
import {
  CHAIN_PORT,
  freePort,
  INDEX_PORT,
  MANUAL_PORT,
  PAGE_PORT,
  portOf,
  RELAY_PORT,
} from "../cli/shared/server/port.js";
import { hashOf } from "../sdk/chain/source.js";
import { deployTo, giveAll, urlOf } from "./local-chain.js";
import { localPolicy, playAsLocalAgent } from "../cli/agent/local-agent.js";
import { folderStore } from "../cli/relay/folder/store.js";
import { Relay } from "../cli/relay/relay.js";
import { writeDeployment } from "../cli/shared/node/deployment.js";
import { TEST_CHAIN } from "../sdk/chain/traits.js";
import { loadGames } from "../cli/shared/command/games.js";
import { isHelped } from "../cli/shared/command/program.js";
import { heading, say, showMatch, summarizeMatch } from "./demo-match.js";

/** Test accounts for players. Account 0 owns the contracts, account 1 is the treasury. */
const PLAYERS = [2, 3, 4, 5, 6, 7, 8, 9];

/** Test account of the agent, the program that accepts challenges. */
const AGENT = 10;

const COMMAND_WIDTH = 60;

interface Options {
  once: boolean;
  port: number;
  /** Path of the module with the user's list of games. */
  file?: string;
  /** True if a program that accepts challenges runs in addition to the chain. */
  agent: boolean;
  /** Port of the web page, 0 for any port; undefined to start no page. */
  page?: number;
  /** Port of the manual, 0 for the usual or any port; undefined to serve no manual. */
  manual?: number;
  /** Port of the index, 0 for the usual or any port; undefined to start no index. */
  index?: number;
  /** Port of the relay, 0 for the usual or any port; undefined to start no relay. */
  relay?: number;
  /** Stock games, and those of the user's own list. */
  games: readonly GameModule[];
  /** Games of which a match is played. */
  played: readonly GameModule[];
  /** Games whose match is printed in full. */
  told: readonly GameModule[];
}

/** Servers of the page and of the manual. Each has an origin of its own, so the manual cannot read the page's keys. */
interface Sites {
  page?: PageServer;
  manual?: PageServer;
}

const HELP = `Usage: npm start -- [options]

Run a local chain with everything on it and serve the web page for it, play a staked match of each game, and stay up
until Ctrl-C or SIGTERM.

Options:
  --port <number>       port on 127.0.0.1 (default: ${CHAIN_PORT}); for another one, other commands need --rpc
  --page-port <number>  port of the web page (default: ${PAGE_PORT}, or any other if that is taken)
  --no-page             serve neither the web page nor this project's manual
  --docs-port <number>  port of the manual (default: ${MANUAL_PORT}, or any other if that is taken)
  --no-docs             serve no manual
  --relay-port <number> port of the relay (default: ${RELAY_PORT}, or any other if that is taken)
  --no-relay            run no relay for matches in channels
  --index               keep history and rankings in an index, as npm run index does
  --index-port <number> port of the index (default: ${INDEX_PORT}, or any other if that is taken)
  --game <name>         play a match of this game only
  --games <file>        a module that exports games of your own list, to deploy and play too (default: DUELLO_GAMES)
  --all                 tell all matches in full, not the first one only
  --once                end after the matches, without the web page
  --no-agent            run no program to play against
  -h, --help            display this help`;

try {
  if (!isHelped(process.argv, HELP)) {
    const options = await readOptions();
    const sites: Sites = {};
    try {
      await listenForVisitors(options, sites);
      const server = await ChainServer.start(options.port);
      try {
        await run(options, server, sites);
      } finally {
        await server.close();
      }
    } finally {
      sites.page?.close();
      sites.manual?.close();
    }
  }
} catch (error) {
  console.error(oneLine(explain(error, { games })));
  process.exitCode = 1;
}

async function readOptions(): Promise<Options> {
  const options = {
    once: { type: "boolean", default: false },
    port: { type: "string", default: String(CHAIN_PORT) },
    game: { type: "string" },
    games: { type: "string" },
    all: { type: "boolean", default: false },
    agent: { type: "boolean", default: true },
    page: { type: "boolean", default: true },
    "page-port": { type: "string" },
    docs: { type: "boolean", default: true },
    "docs-port": { type: "string" },
    relay: { type: "boolean", default: true },
    "relay-port": { type: "string" },
    index: { type: "boolean", default: false },
    "index-port": { type: "string" },
  } as const;
  const {
    once,
    port,
    game,
    games: file,
    all,
    agent,
    page,
    "page-port": pagePort,
    docs,
    "docs-port": docsPort,
    relay,
    "relay-port": relayPort,
    index,
    "index-port": indexPort,
  } = parseArgs({ options, allowNegative: true }).values;
  const known = await loadGames(file);
  const played = game === undefined ? known : [gameNamed(game, known)];
  return {
    once,
    port: portOf("--port", port),
    file,
    agent: agent && !once,
    page: page && !once ? (pagePort === undefined ? 0 : portOf("--page-port", pagePort)) : undefined,
    manual: page && docs && !once ? (docsPort === undefined ? 0 : portOf("--docs-port", docsPort)) : undefined,
    relay: relay && !once ? (relayPort === undefined ? 0 : portOf("--relay-port", relayPort)) : undefined,
    index: index && !once ? (indexPort === undefined ? 0 : portOf("--index-port", indexPort)) : undefined,
    games: known,
    played,
    told: all ? played : played.slice(0, 1),
  };
}

/** Listens on a port. @param wish Port; or 0 for the usual one if it is free, and otherwise for any port. */
async function listenAt<T>(wish: number, usual: number, listen: (port: number) => Promise<T>): Promise<T> {
  if (wish !== 0) return listen(wish);
  // Tries the port directly: between a check and the use of the port, another program could take it.
  return listen(usual).catch(() => listen(0));
}

/** Takes the ports of the page and the manual, without serving anything yet. */
async function listenForVisitors({ page, manual }: Options, sites: Sites): Promise<void> {
  const listenForPage = (port: number) => PageServer.listen(port, "npm start -- --page-port");
  if (page !== undefined) sites.page = await listenAt(page, PAGE_PORT, listenForPage);
  const notReady = "The manual is being built. This page shows it once it is ready.";
  const listenForManual = (port: number) => PageServer.listen(port, "npm start -- --docs-port", notReady);
  if (manual !== undefined) sites.manual = await listenAt(manual, MANUAL_PORT, listenForManual);
}

async function run(options: Options, server: ChainServer, { page, manual }: Sites): Promise<void> {
  const provider = server.provider();
  provider.pollingInterval = 50;
  const chain = await deployAll(provider, options);
  const services = await startServices(options, chain);
  if (page) {
    const { file, games, port } = options;
    const { deployment, indexer, relay } = services;
    const genesis = await hashOf(provider, 0);
    const own = { name: "Local chain", genesis, rpc: [urlOf(port)], index: indexer?.url, relay: relay?.url };
    page.show(await builtSite([{ ...deployment, ...own }], ownGames(games, file)));
    say(`Play in a browser: ${page.url}`);
  }
  if (manual) {
    if (isManualBuilt()) manual.show(await manualSite());
    say(`Manual: ${manual.url}${manual.isReady ? "" : " (not built yet: ready about a minute after the matches)"}`);
  }
  if (services.relay) say(`Relay for matches in channels: ${services.relay.url}`);
  if (services.indexer) say(`History and rankings: ${services.indexer.url}/graphql`);
  await playAll(options, chain);
  say(heading("The local chain"));
  await printAddresses(provider, chain.deployment.addresses);
  if (!options.once) {
    printCommands(options, chain);
    await stay(options, chain, manual);
  }
  await services.indexer?.stop();
  await services.relay?.stop();
  provider.destroy();
}

/** A chain with everything deployed on it. */
interface LocalChain {
  provider: JsonRpcProvider;
  deployment: Deployment;
  /** Accounts that have tokens; the first two play the matches. */
  signers: readonly JsonRpcSigner[];
  /** Account of the program to play against; undefined if no such program runs. */
  opponent?: JsonRpcSigner;
}

/** Deploys all contracts, including those of listed games, and gives tokens to the test accounts. */
async function deployAll(provider: JsonRpcProvider, { port, agent, games }: Options): Promise<LocalChain> {
  const opponent = agent ? await provider.getSigner(AGENT) : undefined;
  let deployment = await deployTo(provider, port, opponent && { [opponent.address]: await localPolicy() });
  const owner = await provider.getSigner(0);
  for (const game of games.filter(({ trust }) => trust === "listed")) {
    const { addGame } = await import("./deploy/add-game.js");
    deployment = await addGame(game, deployment, owner);
  }
  const given = agent ? [...PLAYERS, AGENT] : PLAYERS;
  const signers = await Promise.all(given.map((number) => provider.getSigner(number)));
  const players = await Promise.all(signers.map((signer) => signer.getAddress()));
  await giveAll(owner, deployment.addresses, players, opponent?.address);
  return { provider, deployment, signers, opponent };
}

/** Relay whose messages are gone when it stops. */
type LocalRelay = Pick<Relay, "url" | "stop">;

/** Programs that run in addition to the chain. */
interface Services {
  /** The deployment with the address of its relay. */
  deployment: Deployment;
  relay?: LocalRelay;
  indexer?: Indexer;
}

/** Starts the relay and the index, if they are wanted. */
async function startServices({ port, relay: relayPort, index }: Options, chain: LocalChain): Promise<Services> {
  const { provider } = chain;
  const relay = relayPort === undefined ? undefined : await startRelay(relayPort, provider, chain.deployment);
  const deployment = relay ? await withRelay(chain.deployment, port, relay.url) : chain.deployment;
  const indexer = index === undefined ? undefined : await startIndex(index, port, provider, deployment);
  return { deployment, relay, indexer };
}

/** Plays a match of each game between the first two accounts. */
async function playAll({ games, played, told }: Options, { provider, deployment, signers }: LocalChain): Promise<void> {
  const { addresses } = deployment;
  const [alice, bob] = await Promise.all(signers.slice(0, 2).map((signer) => Client.connect(addresses, games, signer)));
  const history = new History(provider, addresses);
  for (const game of played) {
    await (told.includes(game) ? showMatch : summarizeMatch)(game, alice, bob, history);
  }
  if (told.length < played.length) say("\nnpm start -- --all tells all of them in full.");
}

/** Prints commands that a newcomer can try. */
function printCommands({ port, file, played }: Options, { deployment, opponent }: LocalChain): void {
  const rpc = port === CHAIN_PORT ? "" : ` --rpc ${urlOf(port)}`;
  const listed = file === undefined ? "" : ` --games ${file}`;
  const command = (words: string, purpose: string) =>
    say(`  ${`npm run -s play --${rpc}${listed} ${words}`.padEnd(COMMAND_WIDTH)}  ${purpose}`);
  say("\nTry from another terminal, as the player of account 4:\n");
  if (opponent) {
    const named = deployment.agents?.includes(opponent.address) ? "" : ` --opponent ${opponent.address}`;
    command(`challenge tic-tac-toe${named} --account 4`, `play against the program at account ${AGENT}`);
  }
  command("fighters --account 4", "see your fighters");
  command(`replay ${played.length}`, "see the last match again, and compare it with its events");
  say("");
}

/** Keeps running until a signal arrives, together with the computer opponent. Builds the manual unless it is ready. */
async function stay({ port, file }: Options, { opponent }: LocalChain, manual?: PageServer): Promise<void> {
  // Before this point a signal ends the process at once, since nothing needs to be closed.
  const stopped = new Promise((resolve) => {
    for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, resolve);
  });
  say(`Listening on ${urlOf(port)} until you stop it with Ctrl-C.`);
  const building = manual && !manual.isReady ? buildAndShow(manual, stopped) : undefined;
  await (opponent ? playAsLocalAgent({ rpc: urlOf(port), account: String(AGENT), games: file }, stopped) : stopped);
  await building;
}

/** Builds the manual in the background, and serves it from then on. */
async function buildAndShow(manual: PageServer, stopped: Promise<unknown>): Promise<void> {
  const ending = new AbortController();
  void stopped.then(() => ending.abort());
  try {
    await buildManualInBackground(ending.signal);
    manual.show(await manualSite());
    say(`The manual is ready: ${manual.url}`);
  } catch (error) {
    // Without its site the manual can still be read in its folder.
    if (!ending.signal.aborted) say(`${oneLine((error as Error).message)} Read docs/README.md instead.`);
  }
}

/** Starts the index of the local chain. @param wish Port, as for `listenAt`. */
async function startIndex(
  wish: number,
  port: number,
  provider: JsonRpcProvider,
  deployment: Deployment,
): Promise<Indexer> {
  // The packages of the index are installed only if an index is wanted.
  const { Indexer } = await import("../indexer/indexer.js");
  return listenAt(wish, INDEX_PORT, async (own) =>
    Indexer.start({
      deployment: async () => deployment,
      provider,
      rpc: [urlOf(port)],
      port: own || (await freePort()),
      portOption: "--index-port",
      onLog: (line) => console.error(line),
    }),
  );
}

/** Starts the relay of the local chain. @param wish Port, as for `listenAt`. */
async function startRelay(wish: number, provider: JsonRpcProvider, { addresses }: Deployment): Promise<LocalRelay> {
  const channels = await arenaAt(addresses.Arena, provider).channels();
  // Chains that start in the same second have the same first block, so each start uses a new folder.
  const folder = await mkdtemp(join(tmpdir(), "duello-relay-"));
  const relay = await listenAt(wish, RELAY_PORT, (port) =>
    Relay.start({
      chainId: TEST_CHAIN,
      channels,
      store: folderStore(join(folder, "messages")),
      port,
      onTrouble: (line) => console.error(line),
    }),
  );
  const stop = async () => {
    await relay.stop();
    await rm(folder, { recursive: true });
  };
  return { url: relay.url, stop };
}

/** Adds the relay to the deployment, and to the deployment file if it describes the chain on this port. */
async function withRelay(deployment: Deployment, port: number, relay: string): Promise<Deployment> {
  if (deployment.rpc !== urlOf(port)) return deployment;
  const related = { ...deployment, relay };
  await writeDeployment(related);
  return related;
}

async function printAddresses(provider: JsonRpcProvider, addresses: Addresses): Promise<void> {
  for (const [name, address] of Object.entries(addresses)) say(`${name.padEnd(17)}${address}`);
  const fight = FightToken__factory.connect(addresses.FightToken, provider);
  const kinds = games.flatMap(({ characters }) => characters ?? []);
  const ownedBy = async (player: string) => {
    const counts = kinds.map(async ({ noun, contract }) => {
      const token = Characters__factory.connect(addresses[contract], provider);
      return `${await token.balanceOf(player)} ${noun}s`;
    });
    return (await Promise.all(counts)).join("  ");
  };
  say("\nTest accounts that can play:");
  for (const number of PLAYERS) {
    const { address } = await provider.getSigner(number);
    const [coin, tokens] = await Promise.all([provider.getBalance(address), fight.balanceOf(address)]);
    say(
      `${number}  ${address}  ${formatEther(coin).slice(0, 8)} coin  ${formatEther(tokens)} FIGHT  ${await ownedBy(address)}`,
    );
  }
}
