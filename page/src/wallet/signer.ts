import { WrongNetwork } from "duello";
import {
  AbstractSigner,
  TypedDataEncoder,
  toQuantity,
  type Provider,
  type TransactionRequest,
  type TransactionResponse,
  type TypedDataDomain,
  type TypedDataField,
} from "ethers";
import { chainOf } from "./account.ts";
import { askWallet, type Eip1193 } from "./discovery.ts";

/** Milliseconds between two searches for a transaction that the wallet has sent, and number of searches. */
const PAUSE = 500;
const LOOKS = 20;

/** Signer that signs and sends with a wallet, and reads from the page's own nodes. */
export class WalletSigner extends AbstractSigner<Provider> {
  /** @param onHash Called with the hash of a transaction as soon as the wallet returns it, and awaited. */
  constructor(
    readonly wallet: Eip1193,
    readonly address: string,
    provider: Provider,
    private readonly onHash?: (hash: string) => Promise<void>,
  ) {
    super(provider);
  }

  override async getAddress(): Promise<string> {
    return this.address;
  }

  override connect(provider: Provider): WalletSigner {
    return new WalletSigner(this.wallet, this.address, provider, this.onHash);
  }

  /** Makes the wallet send a transaction. @throws WrongNetwork before sending if the wallet is on another chain. */
  override async sendTransaction({ to, data, value, gasLimit }: TransactionRequest): Promise<TransactionResponse> {
    await this.checkNetwork();
    const request = {
      from: this.address,
      to,
      data,
      value: toQuantity(value ?? 0n),
      ...(gasLimit !== undefined && gasLimit !== null && { gas: toQuantity(gasLimit) }),
    };
    const nonce = await this.getNonce("pending");
    const hash = (await askWallet(this.wallet, "eth_sendTransaction", [request])) as string;
    await this.onHash?.(hash);
    for (let looks = 0; looks < LOOKS; looks++) {
      // The wallet may use another node, which passes the transaction to ours later.
      const response = await this.provider.getTransaction(hash).catch(() => null);
      if (response) return response;
      await new Promise((resolve) => setTimeout(resolve, PAUSE));
    }
    // These fields are enough to wait for the transaction, or for one with which the wallet replaces it.
    const sent = { hash, nonce, from: this.address, to, data, value: value ?? 0n };
    return sent as unknown as TransactionResponse;
  }

  /**
   * Makes the wallet sign typed data. @throws WrongNetwork if the wallet is on another chain: it would refuse to sign.
   */
  override async signTypedData(
    domain: TypedDataDomain,
    types: Record<string, TypedDataField[]>,
    value: Record<string, unknown>,
  ): Promise<string> {
    await this.checkNetwork();
    const payload = JSON.stringify(TypedDataEncoder.getPayload(domain, types, value));
    const params = [this.address.toLowerCase(), payload];
    return (await askWallet(this.wallet, "eth_signTypedData_v4", params)) as string;
  }

  override async signTransaction(): Promise<never> {
    throw new Error("A wallet signs transactions only to send them.");
  }

  override async signMessage(): Promise<never> {
    throw new Error("The page asks for signatures of typed data only.");
  }

  /** @throws WrongNetwork if the wallet reports another chain than the page's nodes. */
  async checkNetwork(): Promise<void> {
    const { chainId } = await this.provider.getNetwork();
    const actual = await chainOf(this.wallet);
    if (actual !== undefined && actual !== chainId) throw new WrongNetwork(actual, chainId);
  }
}
