import type { Signer, TransactionRequest, TransactionResponse } from "ethers";
import { WalletWrapper } from "../shared/wallet-wrapper.js";

/** By how much what replaces a stuck transaction pays more, at most. */
const MAX_RAISE = 16n;

const GAS_OF_NOTHING = 21_000n;

/** A wallet that sees when its transactions do not get into blocks, and clears the way. */
export class FeeBumpingWallet extends WalletWrapper {
  /** The first transaction that waits: its nonce, since when in milliseconds, and how often the fee was multiplied. */
  private first?: { nonce: number; since: number; raise: bigint };

  /** @param patience Milliseconds after which a transaction that waits is stuck. */
  constructor(
    wallet: Signer,
    private readonly timeout: number,
  ) {
    super(wallet);
  }

  /** Whether transactions of the account wait for a block: none, some, or since too long. */
  async queueState(): Promise<"empty" | "waiting" | "stuck"> {
    const [mined, sent] = await Promise.all([this.getNonce("latest"), this.getNonce("pending")]);
    if (sent <= mined) this.first = undefined;
    else if (this.first?.nonce !== mined) this.first = { nonce: mined, since: Date.now(), raise: 1n };
    if (this.first === undefined) return "empty";
    return this.first.raise > 1n || this.isLate() ? "stuck" : "waiting";
  }

  /** Puts a transaction of nothing for a higher fee in the place of the stuck one, and again if that gets stuck too. */
  async replaceStuck(): Promise<void> {
    if (this.first === undefined || !this.isLate()) return;
    const { nonce, raise } = this.first;
    this.first = { nonce, since: Date.now(), raise: raise < MAX_RAISE ? raise * 2n : raise };
    const nothing = { to: await this.getAddress(), value: 0n, nonce, gasLimit: GAS_OF_NOTHING };
    await this.wallet.sendTransaction({ ...nothing, ...(await this.feesTimes(this.first.raise)) });
  }

  override async sendTransaction(tx: TransactionRequest): Promise<TransactionResponse> {
    const sent = await this.wallet.sendTransaction(tx);
    // Counted from here, not from when somebody looks.
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
