import { traitsOf } from "../../../sdk/chain/traits.js";
import { join } from "node:path";
import type { JsonRpcProvider, Network, Signer, TransactionReceipt } from "ethers";
import { Client } from "../../../sdk/player/client.js";
import { explain, Explained } from "../../../sdk/player/errors.js";
import { addressesWith, findGame, gameAt } from "../../../sdk/games/list.js";
import type { GameModule } from "../../../sdk/games/module.js";
import { arenaAt, type ArenaMatch } from "../../../sdk/chain/arena.js";
import { isFromChannel } from "../../../sdk/chain/channels.js";
import type { MatchRecord } from "../../../sdk/chain/record.js";
import type { Addresses } from "../../../sdk/chain/addresses.js";
import { History, type OnProgress } from "../../../sdk/chain/history.js";
import { viewOfRecord, viewOnChain, type MatchView } from "../../../sdk/player/match-view.js";
import { Tokens } from "../../../sdk/player/tokens.js";
import { isRefusal, unfolded } from "../../../sdk/games/channel-match.js";
import { InputError } from "../../../sdk/protocol/input.js";
import { LogReader } from "../../../sdk/chain/logs.js";
import type { Arena } from "../../../typechain-types/index.js";
import type { Deployment } from "../../../sdk/chain/deployment.js";
import { deploymentFile, readDeploymentFile } from "../node/deployment.js";
import { chainMarkOf } from "../node/chain-mark.js";
import { isFeed } from "../node/event-feed.js";
import { LOCAL_URL, MultiNodeProvider } from "../node/provider.js";
import type { Action } from "../../../sdk/player/outbox.js";
import { CallerKeys } from "../wallet/keys.js";
import { OutboxWallet } from "../wallet/outbox-wallet.js";
import { loadGames } from "./games.js";
import { networkNamed } from "../node/networks.js";
import { log, Progress } from "./output.js";
import { withFullStop } from "../../../sdk/protocol/text.js";
import { PendingTransactions } from "../wallet/pending-transactions.js";
import { Vault } from "../files/vault.js";
import { isNamed, openWallet, type Identity } from "../wallet/wallet.js";

/** Options of every command. */
export interface Options extends Identity {
  /** URLs of the chain's nodes, separated by commas. */
  rpc?: string;
  /** Name of a chain in the file of the user's own networks. */
  network?: string;
  /** Path of a module that exports games. */
  games?: string;
  /** Addresses of relays, separated by commas. */
  relay?: string;
  json?: boolean;
  yes?: boolean;
}

/** Smallest number of requests for which the progress of reading is shown. */
const LONG = 5;

/** The context of a command: a chain, a deployment on it, the caller's wallet, and the files of this machine. */
export class CommandContext {
  /** History of matches and players. */
  history: History;
  /** Keys to the caller's committed moves. */
  readonly keys = new CallerKeys(this);
  /** The arena, for reading. */
  readonly arena: Arena;
  /** Tokens that the command prints. */
  readonly tokens: Tokens;
  private readonly progress = new Progress("Reading blocks", LONG);
  private wallet?: Promise<Signer>;
  private opening?: Promise<OutboxWallet>;
  /** Set once `opening` is fulfilled. */
  private opened?: OutboxWallet;

  private constructor(
    readonly options: Options,
    readonly provider: JsonRpcProvider,
    readonly chainId: number,
    readonly deployment: Deployment,
    /** The stock games, and the games on the user's own list. */
    readonly games: readonly GameModule[],
    readonly vault: Vault,
    /** URLs of the chain's nodes. */
    readonly urls: readonly string[],
    /** WebSocket URLs that announce events. */
    readonly feeds: readonly string[],
  ) {
    this.arena = arenaAt(deployment.addresses.Arena, provider);
    this.tokens = new Tokens(provider, deployment.addresses, games);
    this.history = new History(provider, deployment.addresses, deployment.block, this.onBlocks);
  }

  /**
   * Connects to the chain and reads its deployment.
   * @throws InputError if no node answers, the node's chain is not the network's, or nothing is deployed there.
   */
  static async open(options: Options, vault = new Vault()): Promise<CommandContext> {
    let context: CommandContext | undefined = undefined;
    // The user of an interrupted command should know what the command has sent.
    const onWait = (text: string) => log(context?.withTrace(text) ?? text);
    const { named, urls, feeds } = await nodesOf(options);
    const games = await loadGames(options.games);
    const provider = await MultiNodeProvider.connect(urls, { onWait });
    const network = await provider.getNetwork();
    if (named && network.chainId !== BigInt(named.chainId)) {
      provider.destroy();
      const served = `${named.name} is chain ${named.chainId}, the node serves chain ${network.chainId}`;
      throw new InputError("--network", served);
    }
    if (traitsOf(network.chainId).minesOnDemand) provider.pollingInterval = 100;
    const deployment = await deployedAt(network, games);
    context = new CommandContext(
      options,
      provider,
      Number(network.chainId),
      deployment,
      games,
      vault,
      urls.split(","),
      feeds,
    );
    await requireDeployed(context, urls);
    return context;
  }

  /** Addresses of the deployment. */
  get addresses(): Addresses {
    return this.deployment.addresses;
  }

  /** Reads the deployment again after a local chain was restarted. */
  async readDeployment(): Promise<Deployment> {
    return deployedAt(await this.provider.getNetwork(), this.games);
  }

  /** Finds the game at an address; undefined for an unknown one. */
  findGame(address: string): GameModule | undefined {
    return findGame(address, this.games, this.deployment.addresses);
  }

  /** Returns the game at an address. @throws InputError for an unknown one. */
  gameAt(address: string): GameModule {
    return gameAt(address, this.games, this.deployment.addresses);
  }

  /**
   * Reads a match and its terms, which a command passes on to everything that needs them. A match that was settled in
   * its channel is read from its events: the arena does not store it.
   * @param read The match, if the caller has already read it from the arena.
   */
  async view(matchId: bigint, read?: ArenaMatch): Promise<MatchView> {
    const record = read === undefined && isFromChannel(matchId) ? await this.history.match(matchId) : undefined;
    const { reserve: _, ...view } = record?.settlement
      ? await viewOfRecord(record, this, this.addresses)
      : await viewOnChain(this.arena, this, this.addresses, matchId, read);
    return view;
  }

  /** Reads the record of a match, with the seats of its actions if it comes from a channel. */
  async record(view: MatchView, history: History = this.history): Promise<MatchRecord> {
    const record = await history.match(view.matchId, { read: view });
    const game = this.findGame(record.terms.game);
    if (!record.channel || !game) return record;
    try {
      return (await unfolded(record, game, history)).record;
    } catch (error) {
      // A replay of the match reports the reason.
      if (isRefusal(error)) return record;
      throw error;
    }
  }

  /** Returns the caller's wallet, opening it once. */
  async signer(): Promise<Signer> {
    return (this.wallet ??= openWallet(this.options, this.provider));
  }

  /** Returns the address of the caller's wallet. */
  async address(): Promise<string> {
    return (await this.signer()).getAddress();
  }

  /** Returns the caller's wallet as an outbox, through which everything is sent. */
  async outbox(): Promise<OutboxWallet> {
    return (this.opening ??= this.openOutbox());
  }

  /** Returns a client of the arena that sends as the caller. */
  async client(): Promise<Client> {
    const outbox = await this.outbox();
    return Client.connect(this.deployment.addresses, this.games, outbox, outbox.waiting);
  }

  /**
   * Performs an action with transactions, or completes it if an earlier command began it.
   * @returns the receipt of the last transaction.
   */
  async once(action: Action, send: () => Promise<TransactionReceipt>): Promise<TransactionReceipt> {
    return (await this.outbox()).once(action, send);
  }

  /** Completes an action that an earlier command began, for callers that read the result from the chain. */
  async finish(action: Action): Promise<void> {
    await (await this.outbox()).finish(action);
  }

  /** Forgets the pending transactions: their outcomes were reported to the caller. */
  async markReported(): Promise<void> {
    await this.opened?.markReported();
  }

  /** Adds to an error the transactions that were sent before it. */
  traced(error: unknown): unknown {
    return this.opened?.trace === undefined ? error : new Explained(this.withTrace(explain(error)), { cause: error });
  }

  /** Returns the caller's address; undefined if the command names nobody. */
  async caller(): Promise<string | undefined> {
    return isNamed(this.options) ? this.address() : undefined;
  }

  /** Shows how many of the wanted blocks were read. */
  readonly onBlocks: OnProgress = (read, wanted) =>
    this.progress.update(read, wanted, wanted / LogReader.of(this.provider).span);

  /** Closes the connection. */
  close(): void {
    this.progress.end();
    this.opened?.close();
    this.provider.destroy();
  }

  /** Appends to a text the transactions that were sent so far. */
  private withTrace(text: string): string {
    const trace = this.opened?.trace;
    return trace === undefined ? text : `${withFullStop(text)} ${trace}`;
  }

  private async openOutbox(): Promise<OutboxWallet> {
    const { chainId, provider, vault } = this;
    const signer = await this.signer();
    const mark = (await chainMarkOf(provider, chainId)) ?? "chain";
    const name = `${chainId}-${mark}-${await signer.getAddress()}`;
    return (this.opened = new OutboxWallet(signer, new PendingTransactions(join(vault.folder, "sent", name))));
  }
}

/**
 * Finds the network that a command names, the URLs of the nodes that it uses, separated by commas, and the URLs of
 * WebSockets that announce events.
 * @throws InputError for an unknown network, or if a WebSocket is named without a node
 */
export async function nodesOf({ rpc, network }: Options) {
  const named = network === undefined ? undefined : await networkNamed(network);
  const all = (rpc ?? named?.rpc ?? process.env.DUELLO_RPC_URL ?? LOCAL_URL).split(",");
  const feeds = all.filter(isFeed).map((url) => url.trim());
  const nodes = all.filter((url) => !isFeed(url));
  if (nodes.length === 0) throw new InputError("--rpc", "a WebSocket only announces events: name an http address, too");
  const wrong = feeds.find((url) => !URL.parse(url));
  if (wrong !== undefined) throw new InputError("--rpc", "not the address of a WebSocket");
  return { named, urls: nodes.join(), feeds };
}

/** @throws InputError unless the chain is the one of the deployment file. */
async function requireDeployed({ provider, deployment, chainId }: CommandContext, urls: string): Promise<void> {
  const { addresses, rpc } = deployment;
  const { Arena } = addresses;
  // Two local chains that run side by side share a deployment file. It has the first block of the chain at its URL.
  const genesis = rpc === undefined || urls.split(",").includes(rpc) ? deployment.genesis : undefined;
  const [code, first] = await Promise.all([
    provider.getCode(Arena),
    genesis === undefined ? undefined : provider.getBlock(0),
  ]);
  const file = deploymentFile(chainId);
  if (code === "0x") throw new InputError(file, `there is no contract at ${Arena}: was the chain restarted?`);
  // If the node no longer has the first block, the block cannot be compared.
  if (first && first.hash !== genesis) {
    throw new InputError(`${file}.genesis`, `the chain's first block is ${first.hash}: it was restarted`);
  }
}

async function deployedAt({ chainId }: Network, games: readonly GameModule[]): Promise<Deployment> {
  const deployment = await readDeploymentFile(chainId);
  if (!deployment) throw new InputError(deploymentFile(chainId), `nothing is known to be deployed on chain ${chainId}`);
  return { ...deployment, addresses: addressesWith(games, deployment.addresses) };
}
