import { BrowserProvider, toQuantity } from "ethers";
import { Client, type ClientOptions } from "../../sdk/player/client.js";
import type { Addresses } from "../../sdk/chain/addresses.js";
import { games } from "../../sdk/games/index.js";

/** An EIP-1193 request. */
interface Asked {
  method: string;
  params?: unknown;
}

interface Node {
  request(asked: Asked): Promise<unknown>;
}

/** Requests for which a wallet prompts its user. */
const PROMPTS = ["eth_requestAccounts", "eth_sendTransaction", "eth_signTypedData_v4", "wallet_sendCalls"];

/** An EIP-1193 wallet with one account of a test chain, as pages see it. */
export class MockWallet {
  /** Requests for which the wallet prompted its user, in order. */
  readonly prompts: Asked[] = [];
  /** Methods of all requests, in order. */
  readonly methods: string[] = [];
  /** Chain that the wallet reports; defaults to that of the node. */
  chainId?: number;
  /** Error that the wallet throws in place of the next answer to a prompt. */
  refusal?: object;

  constructor(
    protected readonly node: Node,
    public address: string,
  ) {}

  async request({ method, params }: Asked): Promise<unknown> {
    this.methods.push(method);
    if (method === "eth_chainId" && this.chainId !== undefined) return toQuantity(this.chainId);
    if (PROMPTS.includes(method)) {
      this.prompts.push({ method, params });
      const { refusal } = this;
      this.refusal = undefined;
      // A wallet throws objects that are not errors.
      // oxlint-disable-next-line typescript/only-throw-error
      if (refusal) throw refusal;
    }
    if (method === "eth_accounts" || method === "eth_requestAccounts") return [this.address];
    if (method === "wallet_sendCalls") {
      const [{ from, calls }] = params as [{ from: string; calls: object[] }];
      for (const call of calls) await this.node.request({ method: "eth_sendTransaction", params: [{ from, ...call }] });
      return { id: "0x01" };
    }
    return this.node.request({ method, params });
  }

  /** Connects a client as a page does. @param network "any" to stay connected when the wallet switches. */
  async connect(addresses: Addresses, options: ClientOptions = {}, network?: "any"): Promise<Client> {
    const provider = new BrowserProvider(this, network, { cacheTimeout: -1, polling: true });
    provider.pollingInterval = 20;
    return Client.connect(addresses, games, await provider.getSigner(), options);
  }
}
