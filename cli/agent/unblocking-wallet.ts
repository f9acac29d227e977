import type { Signer, TransactionRequest, TransactionResponse } from "ethers";
import { WalletWrapper } from "../shared/wallet/wallet-wrapper.js";

/** Largest factor for the fee of a replacement. */
const MAX_RAISE = 16n;

const GAS_OF_NOTHING = 21_000n;

/** Wallet that replaces a transaction with an empty one if it is not mined in time, so that later ones can be mined. */
export class UnblockingWallet extends WalletWrapper {
  /**
   * The first transaction that is not mined: its nonce, the time in milliseconds at which its wait began, and its fee
   * factor.
   */
  private first?: { nonce: number; since: number; raise: bigint };
  private sending: Promise<unknown> = Promise.resolve();

  /** @param timeout Milliseconds after which a waiting transaction is stuck. */
  constructor(
    wallet: Signer,
    private readonly timeout: number,
  ) {
    super(wallet);
  }

  /** Returns the state of the account's transactions: none waits, some wait, or one is stuck. */
  async queueState(): Promise<"empty" | "waiting" | "stuck"> {
    const [mined, sent] = await Promise.all([this.getNonce("latest"), this.getNonce("pending")]);
    if (sent <= mined) this.first = undefined;
    else if (this.first?.nonce !== mined) this.first = { nonce: mined, since: Date.now(), raise: 1n };
    if (this.first === undefined) return "empty";
    return this.first.raise > 1n || this.isLate() ? "stuck" : "waiting";
  }

  /** Replaces a stuck transaction with an empty one at a higher fee. An empty one that gets stuck is replaced too. */
  async replaceStuck(): Promise<void> {
    if (this.first === undefined || !this.isLate()) return;
    const { nonce, raise } = this.first;
    this.first = { nonce, since: Date.now(), raise: raise < MAX_RAISE ? raise * 2n : raise };
    const nothing = { to: await this.getAddress(), value: 0n, nonce, gasLimit: GAS_OF_NOTHING };
    await this.wallet.sendTransaction({ ...nothing, ...(await this.feesTimes(this.first.raise)) });
  }

  /** Sends a transaction once the earlier ones are sent: two at once would get the same nonce. */
  override async sendTransaction(tx: TransactionRequest): Promise<TransactionResponse> {
    const sent = this.sending.then(() => this.sendNext(tx));
    this.sending = sent.catch(() => undefined);
    return sent;
  }

  private async sendNext(tx: TransactionRequest): Promise<TransactionResponse> {
    const sent = await this.wallet.sendTransaction(tx);
    // The timeout runs from sending, not from the first read of the queue.
    this.first ??= { nonce: sent.nonce, since: Date.now(), raise: 1n };
    return sent;
  }

  private isLate(): boolean {
    return Date.now() - this.first!.since >= this.timeout;
  }

  private async feesTimes(raise: bigint): Promise<TransactionRequest> {
    const { gasPrice, maxFeePerGas, maxPriorityFeePerGas } = await this.provider.getFeeData();
    const raised = (fee: bigint | null) => (fee ?? 0n) * raise;
    if (maxFeePerGas === null) return { gasPrice: raised(gasPrice) };
    return { maxFeePerGas: raised(maxFeePerGas), maxPriorityFeePerGas: raised(maxPriorityFeePerGas) };
  }
}
