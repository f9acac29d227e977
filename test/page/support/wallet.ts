import { randomUUID } from "node:crypto";
import { toQuantity } from "ethers";
import { MockWallet } from "../../support/mock-wallet.js";

/** An EIP-1193 request. */
interface Asked {
  method: string;
  params?: unknown;
}

/** Answer to the page. A wallet's error is not an Error object, and must keep its code. */
export type Answered = { result: unknown } | { error: unknown };

/** Behaviour of a wallet. */
export interface WalletOptions {
  /** Name in the list of wallets. */
  name?: string;
  /** True if it can send several calls at once with EIP-5792. */
  batches?: boolean;
  /** True if the page was connected to it before. */
  isConnected?: boolean;
  /** Milliseconds before it announces itself, during which it ignores requests to do so. */
  delay?: number;
}

/** A wallet in a page that follows EIP-1193 and EIP-6963, with the accounts of a node. */
export class PageWallet extends MockWallet {
  readonly info;
  readonly delay: number;
  batches: boolean;
  isConnected: boolean;
  /** False if the chain must be added before the wallet can switch to it. */
  isChainKnown = true;
  /** Sends an event to the pages that are open. */
  tell: (event: string, value: unknown) => Promise<void> = async () => undefined;
  private readonly sent = new Map<string, string[]>();

  constructor(url: string, address: string, options: WalletOptions = {}) {
    super({ request: (asked) => askNode(url, asked) }, address);
    const { name = "Mock Wallet", batches = false, isConnected = false, delay = 0 } = options;
    [this.batches, this.isConnected, this.delay] = [batches, isConnected, delay];
    const icon = "data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 1 1'/>";
    this.info = { uuid: randomUUID(), name, icon, rdns: "example.mock" };
  }

  /** Number of requests of a method that prompted its user; defaults to all methods. */
  promptsOf(method?: string): number {
    return this.prompts.filter((prompt) => method === undefined || prompt.method === method).length;
  }

  /** Makes the user reject the next prompt. */
  rejectNext(): void {
    this.refusal = { code: 4001, message: "User rejected the request." };
  }

  /** Makes the user choose another account. */
  async switchAccount(address: string): Promise<void> {
    this.address = address;
    await this.tell("accountsChanged", this.isConnected ? [address] : []);
  }

  /** Lets the user choose another chain; defaults to that of the node. */
  async switchChain(chainId?: number): Promise<void> {
    this.chainId = chainId;
    await this.tell("chainChanged", await this.request({ method: "eth_chainId" }));
  }

  /** Makes the user disconnect the account from the page. */
  async disconnect(): Promise<void> {
    this.isConnected = false;
    await this.tell("accountsChanged", []);
  }

  /** Answers a request of the page. */
  async answer(asked: Asked): Promise<Answered> {
    try {
      return { result: (await this.request(asked)) ?? null };
    } catch (error) {
      const { code = -32603, message, data } = error as { code?: number; message: string; data?: unknown };
      return { error: { code, message, data } };
    }
  }

  override async request(asked: Asked): Promise<unknown> {
    const { method, params = [] } = asked;
    const [first] = params as [unknown];
    switch (method) {
      case "eth_accounts":
        this.methods.push(method);
        return this.isConnected ? [this.address] : [];
      case "eth_requestAccounts": {
        if (this.isConnected) return [this.address];
        const accounts = await super.request(asked);
        this.isConnected = true;
        return accounts;
      }
      case "wallet_switchEthereumChain":
        return this.switchTo(asked, Number((first as { chainId: string }).chainId));
      case "wallet_addEthereumChain":
        await this.prompt(asked);
        this.isChainKnown = true;
        await this.switchChain();
        return null;
      case "wallet_revokePermissions":
        await this.disconnect();
        return null;
      case "wallet_getCapabilities": {
        this.methods.push(method);
        if (!this.batches) throw refused(4200, "The method is not supported.");
        const chainId = String(await super.request({ method: "eth_chainId" }));
        return { [chainId]: { atomic: { status: "supported" } } };
      }
      case "wallet_sendCalls":
        if (!this.batches) throw refused(4200, "The method is not supported.");
        await this.prompt(asked);
        return this.sendCalls(first as { from?: string; calls: object[] });
      case "wallet_getCallsStatus":
        this.methods.push(method);
        return this.statusOf(String(first));
      default:
        return super.request(asked);
    }
  }

  /** Counts a prompt that this wallet answers itself. */
  private async prompt({ method, params }: Asked): Promise<void> {
    this.methods.push(method);
    this.prompts.push({ method, params });
    const { refusal } = this;
    this.refusal = undefined;
    // A wallet throws objects that are not Error objects.
    // oxlint-disable-next-line typescript/only-throw-error
    if (refusal) throw refusal;
  }

  private async switchTo(asked: Asked, chainId: number): Promise<null> {
    const nodes = Number(await this.node.request({ method: "eth_chainId" }));
    if (chainId !== nodes || !this.isChainKnown) throw refused(4902, `Unrecognized chain ID "${toQuantity(chainId)}".`);
    await this.prompt(asked);
    await this.switchChain();
    return null;
  }

  private async sendCalls({ from, calls }: { from?: string; calls: object[] }): Promise<{ id: string }> {
    const hashes: string[] = [];
    for (const call of calls) {
      const params = [{ from: from ?? this.address, ...call }];
      hashes.push(String(await this.node.request({ method: "eth_sendTransaction", params })));
    }
    const id = toQuantity(this.sent.size + 1);
    this.sent.set(id, hashes);
    return { id };
  }

  private async statusOf(id: string): Promise<object> {
    const hashes = this.sent.get(id);
    if (!hashes) throw refused(5730, "Unknown bundle id.");
    const receipts = await Promise.all(hashes.map((hash) => this.receiptOf(hash)));
    const isMined = receipts.every((receipt) => receipt !== null);
    const status = !isMined ? 100 : receipts.every((receipt) => receipt.status === "0x1") ? 200 : 500;
    const chainId = await this.node.request({ method: "eth_chainId" });
    return { version: "2.0.0", id, chainId, atomic: true, status, receipts: isMined ? receipts : undefined };
  }

  private async receiptOf(hash: string): Promise<{ status: string } | null> {
    const params = [hash];
    return (await this.node.request({ method: "eth_getTransactionReceipt", params })) as { status: string } | null;
  }
}

function refused(code: number, message: string): Error {
  return Object.assign(new Error(message), { code });
}

/** Sends a request to a node. @throws the error object of the node, which a wallet passes on. */
async function askNode(url: string, { method, params = [] }: Asked): Promise<unknown> {
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
  const response = await fetch(url, { method: "POST", body, headers: { "content-type": "application/json" } });
  const { result, error } = (await response.json()) as { result?: unknown; error?: object };
  // oxlint-disable-next-line typescript/only-throw-error
  if (error) throw error;
  return result;
}

/**
 * Injects a wallet into a page, which announces itself as EIP-6963 requires. Runs in the page, before its scripts.
 * @param answer Name of the window's function that answers requests.
 */
export function announceWallet({ info, delay, answer }: { info: object; delay: number; answer: string }): void {
  const listeners = new Map<string, Set<(value: unknown) => void>>();
  const of = (event: string) => listeners.get(event) ?? listeners.set(event, new Set()).get(event)!;
  const provider = {
    async request(asked: Asked): Promise<unknown> {
      const ask = (window as unknown as Record<string, (asked: Asked) => Promise<Answered>>)[answer];
      const answered = await ask({ method: asked.method, params: asked.params });
      if ("result" in answered) return answered.result;

      throw answered.error;
    },
    on(event: string, listener: (value: unknown) => void) {
      of(event).add(listener);
      return provider;
    },
    removeListener(event: string, listener: (value: unknown) => void) {
      of(event).delete(listener);
      return provider;
    },
  };
  addEventListener(`${answer}-event`, (told) => {
    const { event, value } = (told as CustomEvent<{ event: string; value: unknown }>).detail;
    for (const listener of of(event)) listener(value);
  });
  const detail = Object.freeze({ info: Object.freeze(info), provider });
  const announce = () => dispatchEvent(new CustomEvent("eip6963:announceProvider", { detail }));
  setTimeout(() => {
    addEventListener("eip6963:requestProvider", announce);
    announce();
  }, delay);
}
