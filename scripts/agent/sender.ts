import { AbstractSigner, type Provider, type Signer, type TransactionRequest, type TransactionResponse } from "ethers";
import type { TypedDataDomain, TypedDataField } from "ethers";

/** By how much a transaction that replaces a stuck one pays more, at most. */
const MOST_RAISE = 16n;

/**
 * A wallet that sees when its transactions do not get into blocks. What it sends then takes the place of the one that
 * is stuck, for a higher fee, so that what is owed does not wait behind it.
 */
export class Sender extends AbstractSigner<Provider> {
  /** The first transaction that waits: its nonce, since when in milliseconds, and how the fee was raised. */
  private stuck?: { nonce: number; since: number; raise: bigint };

  /** @param patience Milliseconds after which a transaction counts as stuck. */
  constructor(
    private readonly wallet: Signer,
    readonly patience: number,
  ) {
    super(wallet.provider!);
  }

  /** For how many milliseconds the account's next transaction has waited for a block; undefined if none does. */
  async waited(): Promise<number | undefined> {
    const [mined, sent] = await Promise.all([this.getNonce("latest"), this.getNonce("pending")]);
    if (sent <= mined) this.stuck = undefined;
    else if (this.stuck?.nonce !== mined) this.stuck = { nonce: mined, since: Date.now(), raise: 1n };
    return this.stuck && Date.now() - this.stuck.since;
  }

  override async sendTransaction(tx: TransactionRequest): Promise<TransactionResponse> {
    const isStuck = ((await this.waited()) ?? 0) >= this.patience;
    const sent = await this.wallet.sendTransaction(isStuck ? { ...tx, ...(await this.replacing()) } : tx);
    // Counted from here, not from when somebody looks.
    this.stuck ??= { nonce: sent.nonce, since: Date.now(), raise: 1n };
    return sent;
  }

  /** What makes a transaction take the place of the stuck one. */
  private async replacing(): Promise<TransactionRequest> {
    const stuck = this.stuck!;
    if (stuck.raise < MOST_RAISE) stuck.raise *= 2n;
    const { gasPrice, maxFeePerGas, maxPriorityFeePerGas } = await this.provider.getFeeData();
    const raised = (fee: bigint | null) => (fee ?? 0n) * stuck.raise;
    if (maxFeePerGas === null) return { nonce: stuck.nonce, gasPrice: raised(gasPrice) };
    const fees = { maxFeePerGas: raised(maxFeePerGas), maxPriorityFeePerGas: raised(maxPriorityFeePerGas) };
    return { nonce: stuck.nonce, ...fees };
  }

  override getAddress(): Promise<string> {
    return this.wallet.getAddress();
  }

  override connect(): Signer {
    throw new Error("A sender stays with its chain.");
  }

  override signTransaction(tx: TransactionRequest): Promise<string> {
    return this.wallet.signTransaction(tx);
  }

  override signMessage(message: string | Uint8Array): Promise<string> {
    return this.wallet.signMessage(message);
  }

  override signTypedData(
    domain: TypedDataDomain,
    types: Record<string, TypedDataField[]>,
    value: Record<string, unknown>,
  ): Promise<string> {
    return this.wallet.signTypedData(domain, types, value);
  }
}
