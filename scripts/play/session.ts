import { FetchRequest, JsonRpcProvider, type Network, type Signer } from "ethers";
import { Client } from "../../sdk/client.js";
import { TEST_CHAIN } from "../../sdk/finality.js";
import { History } from "../../sdk/history.js";
import { InputError } from "../../sdk/input.js";
import { deploymentFile, readDeployment, type Deployment } from "../deployment.js";
import { Progress } from "./output.js";
import { Vault } from "./vault.js";
import { isNamed, openWallet, type Identity } from "./wallet.js";

/** What every command is told. */
export interface Options extends Identity {
  rpc?: string;
  json?: boolean;
  yes?: boolean;
}

const LOCAL = "http://127.0.0.1:8545";
/** Calls in one request: public nodes refuse more. */
const BATCH = 10;

/** So many blocks take a public node a while. */
const LONG = 50_000;

/** A person at a deployment: the chain, what is known of it, and the files of this machine. */
export class Session {
  readonly history: History;
  private readonly progress = new Progress("Reading blocks", LONG);
  private wallet?: Promise<Signer>;

  private constructor(
    readonly options: Options,
    readonly provider: JsonRpcProvider,
    readonly chainId: number,
    readonly deployment: Deployment,
    readonly vault: Vault,
  ) {
    this.history = new History(provider, deployment.addresses, deployment.block, (read, wanted) =>
      this.progress.tell(read, wanted),
    );
  }

  /** @throws InputError if nothing answers, or nothing of ours is deployed there. */
  static async open(options: Options, vault = new Vault()): Promise<Session> {
    const url = options.rpc ?? process.env.DUELLO_RPC_URL ?? LOCAL;
    const network = await networkAt(url);
    const settings = { staticNetwork: network, cacheTimeout: -1, batchStallTime: 0, batchMaxCount: BATCH };
    const provider = new JsonRpcProvider(url, network, settings);
    if (network.chainId === TEST_CHAIN) provider.pollingInterval = 100;
    const session = new Session(options, provider, Number(network.chainId), await deployedAt(network), vault);
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

  /** The arena, in the name of whoever gives the command. */
  async client(): Promise<Client> {
    return Client.connect(this.deployment.addresses, await this.signer());
  }

  /** The caller's address, if it said who it is. */
  async caller(): Promise<string | undefined> {
    return isNamed(this.options) ? (await this.signer()).getAddress() : undefined;
  }

  /** Ends the connection. */
  close(): void {
    this.progress.end();
    this.provider.destroy();
  }
}

async function networkAt(url: string): Promise<Network> {
  // Only the host is ever named: a path may hold an access key.
  const { host, protocol } = URL.parse(url) ?? {};
  if (!host || !/^https?:$/.test(protocol!)) throw new InputError("--rpc", "not an http or https address");
  const request = new FetchRequest(url);
  request.timeout = 20_000;
  const provider = new JsonRpcProvider(request);
  return provider
    ._detectNetwork()
    .catch(() => {
      throw new InputError("--rpc", `no chain answers at ${host}; npm start runs one on ${new URL(LOCAL).host}`);
    })
    .finally(() => provider.destroy());
}

async function deployedAt({ chainId }: Network): Promise<Deployment> {
  const deployment = await readDeployment(chainId);
  if (!deployment) throw new InputError(deploymentFile(chainId), `nothing is known to be deployed on chain ${chainId}`);
  return deployment;
}
