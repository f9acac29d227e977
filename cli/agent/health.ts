import { formatEther, type Block } from "ethers";
import { gasPrice } from "../../sdk/player/session-key.js";
import { finalBlock } from "../../sdk/chain/finality.js";
import { timeText } from "../../sdk/protocol/text.js";
import type { UnblockingWallet } from "./unblocking-wallet.js";

/** Gas that the wallet must be able to pay for before a new match. */
const GAS = 4_000_000n;

/** Limits of a node's health. */
interface NodeLimits {
  /** Maximum age of the latest block, in seconds; undefined for no limit. */
  lag?: number;
}

/** Health of the node and the account. */
export class Health {
  /** Block that must be final before the chain is trusted again after a reorganisation; -1 if there is none. */
  private unsettled = -1;

  /** @param clock Returns the time in seconds since 1970. */
  constructor(
    private readonly wallet: UnblockingWallet,
    private readonly limits: NodeLimits,
    private readonly clock = () => Date.now() / 1000,
  ) {}

  /** Lists the reasons to take no new matches, one sentence each. */
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
    // The tick that finds a reorganisation reports it, even if it is final at once.
    if (!reorganised && final.number >= this.unsettled) this.unsettled = -1;
    return this.unsettled < 0 ? [] : [`blocks were reorganised, I wait until block ${this.unsettled} is final.`];
  }

  private async stuck(): Promise<string[]> {
    if ((await this.wallet.queueState()) !== "stuck") return [];
    return ["a transaction of mine does not get into a block, I pay more to clear the way for what I owe."];
  }

  private async coin(): Promise<string[]> {
    const { provider } = this.wallet;
    const [price, coin] = await Promise.all([gasPrice(provider), provider.getBalance(this.wallet)]);
    return coin >= GAS * price ? [] : [`my wallet holds ${formatEther(coin)} coin, too little for gas.`];
  }
}
