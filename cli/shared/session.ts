import { join } from "node:path";
import type { JsonRpcProvider, Network, Signer, TransactionReceipt } from "ethers";
import { Client } from "../../sdk/player/client.js";
import { explain } from "../../sdk/player/errors.js";
import { TEST_CHAIN } from "../../sdk/chain/finality.js";
import { History } from "../../sdk/chain/history.js";
import { InputError } from "../../sdk/protocol/input.js";
import { LogReader } from "../../sdk/chain/logs.js";
import { deploymentFile, readDeployment, type Deployment } from "./deployment.js";
import { LOCAL, MultiNodeProvider } from "./provider.js";
import type { Action } from "./action.js";
import { Outbox } from "./outbox.js";
import { log, Progress, withFullStop } from "./output.js";
import { PendingTransactions } from "./pending-transactions.js";
import { Vault } from "./vault.js";
import { isNamed, openWallet, type Identity } from "./wallet.js";

/** What every command is told. */
export interface Options extends Identity {
  /** Nodes of the chain, separated by commas. */
  rpc?: string;
  json?: boolean;
  yes?: boolean;
}

/** So many questions take a public node a while. */
const LONG = 5;

/** A person at a deployment: the chain, what is known of it, and the files of this machine. */
export class Session {
  readonly history: History;
  private readonly progress = new Progress("Reading blocks", LONG);
  private wallet?: Promise<Signer>;
  private opening?: Promise<Outbox>;
  /** Set once `opening` has come to an end. */
  private opened?: Outbox;

  private constructor(
    readonly options: Options,
    readonly provider: JsonRpcProvider,
    readonly chainId: number,
    readonly deployment: Deployment,
    readonly vault: Vault,
  ) {
    this.history = new History(provider, deployment.addresses, deployment.block, (read, wanted) =>
      this.progress.update(read, wanted, wanted / LogReader.of(provider).span),
    );
  }

  /** @throws InputError if nothing answers, or nothing of ours is deployed there. */
  static async open(options: Options, vault = new Vault()): Promise<Session> {
    let session: Session | undefined = undefined;
    // Whoever ends a command that waits is to know what it has sent.
    const onWait = (text: string) => log(session?.withTrace(text) ?? text);
    const provider = await MultiNodeProvider.connect(options.rpc ?? process.env.DUELLO_RPC_URL ?? LOCAL, { onWait });
    const network = await provider.getNetwork();
    if (network.chainId === TEST_CHAIN) provider.pollingInterval = 100;
    session = new Session(options, provider, Number(network.chainId), await deployedAt(network), vault);
    const { Arena } = session.deployment.addresses;
    if ((await provider.getCode(Arena)) === "0x") {
      const file = deploymentFile(session.chainId);
      throw new InputError(file, `there is no contract at ${Arena}: was the chain started anew?`);
    }
    return session;
  }

  /** The wallet of whoever gives the command; asked for once. */
  async signer(): Promise<Signer> {
    return (this.wallet ??= openWallet(this.options, this.provider));
  }

  /** The same wallet, for all that is sent. */
  async outbox(): Promise<Outbox> {
    return (this.opening ??= this.openOutbox());
  }

  /** The arena, in the name of whoever gives the command. */
  async client(): Promise<Client> {
    const outbox = await this.outbox();
    return Client.connect(this.deployment.addresses, outbox, outbox.waiting);
  }

  /**
   * Does something by transactions, or finishes what a command that was given before has begun. @returns the receipt.
   */
  async once(action: Action, send: () => Promise<TransactionReceipt>): Promise<TransactionReceipt> {
    return (await this.outbox()).once(action, send);
  }

  /** Finishes what a command that was given before has begun, where the caller sees on chain what came of it. */
  async finish(action: Action): Promise<void> {
    await (await this.outbox()).finish(action);
  }

  /** Whoever gives the command was told of all that was sent. */
  async markReported(): Promise<void> {
    await this.opened?.markReported();
  }

  /** What went wrong, with what was sent until then. */
  traced(error: unknown): unknown {
    return this.opened?.trace === undefined ? error : new Error(this.withTrace(explain(error)), { cause: error });
  }

  /** The caller's address, if it said who it is. */
  async caller(): Promise<string | undefined> {
    return isNamed(this.options) ? (await this.signer()).getAddress() : undefined;
  }

  /** Ends the connection. */
  close(): void {
    this.progress.end();
    this.opened?.close();
    this.provider.destroy();
  }

  /** Sentences, and behind them what was sent. */
  private withTrace(text: string): string {
    const trace = this.opened?.trace;
    return trace === undefined ? text : `${withFullStop(text)} ${trace}`;
  }

  private async openOutbox(): Promise<Outbox> {
    const { chainId, provider, vault } = this;
    const signer = await this.signer();
    // Local chains are started anew, all with one number.
    const first = BigInt(chainId) === TEST_CHAIN ? (await provider.getBlock(0))!.hash!.slice(2, 18) : "chain";
    const name = `${chainId}-${first}-${await signer.getAddress()}`;
    return (this.opened = new Outbox(signer, new PendingTransactions(join(vault.folder, "sent", name))));
  }
}

async function deployedAt({ chainId }: Network): Promise<Deployment> {
  const deployment = await readDeployment(chainId);
  if (!deployment) throw new InputError(deploymentFile(chainId), `nothing is known to be deployed on chain ${chainId}`);
  return deployment;
}
