import { formatEther, type Block } from "ethers";
import { finalBlock } from "../../sdk/chain/finality.js";
import { timeText } from "../../sdk/protocol/text.js";
import type { FeeBumpingWallet } from "./fee-bumping-wallet.js";

/** Gas that an agent wants to be able to pay before it takes more. */
const GAS = 4_000_000n;

/** What makes a node or an account unfit for new matches. */
export interface Limits {
  /** How old the latest block may be, in seconds; left out: of any age. */
  lag?: number;
}

/** Whether all is well with the node and the account. */
export class Health {
  /** The block up to which a reorganisation must be final before the chain is believed again. */
  private unsettled = -1;

  /** @param clock The time in seconds since 1970. */
  constructor(
    private readonly wallet: FeeBumpingWallet,
    private readonly limits: Limits,
    private readonly clock = () => Date.now() / 1000,
  ) {}

  /** What keeps the agent from taking new matches, a sentence each. */
  async problems(latest: Block, reorganised: boolean): Promise<string[]> {
    return [
      ...this.lag(latest),
      ...(await this.reorganisation(latest, reorganised)),
      ...(await this.stuck()),
      ...(await this.coin()),
    ];
  }

  private lag({ number, timestamp }: Block): string[] {
    if (this.clock() - timestamp <= (this.limits.lag ?? Infinity)) return [];
    return [`the node lags, its latest block ${number} is from ${timeText(BigInt(timestamp))}.`];
  }

  private async reorganisation({ number }: Block, reorganised: boolean): Promise<string[]> {
    if (reorganised) this.unsettled = number;
    if (this.unsettled < 0) return [];
    const final = await finalBlock(this.wallet.provider);
    // The look that found it says so, however soon it is final.
    if (!reorganised && final.number >= this.unsettled) this.unsettled = -1;
    return this.unsettled < 0 ? [] : [`blocks were reorganised, I wait until block ${this.unsettled} is final.`];
  }

  private async stuck(): Promise<string[]> {
    if ((await this.wallet.queueState()) !== "stuck") return [];
    return ["a transaction of mine does not get into a block, I pay more to clear the way for what I owe."];
  }

  private async coin(): Promise<string[]> {
    const { provider } = this.wallet;
    const [fees, coin] = await Promise.all([provider.getFeeData(), provider.getBalance(this.wallet)]);
    const needed = GAS * (fees.maxFeePerGas ?? fees.gasPrice ?? 0n);
    return coin >= needed ? [] : [`my wallet holds ${formatEther(coin)} coin, too little for gas.`];
  }
}
