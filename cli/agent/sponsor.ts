import { formatEther, type Signer, type TransactionReceipt, type TransactionRequest } from "ethers";
import { Channels__factory } from "../../typechain-types/index.js";
import type { ChannelCall } from "../../sdk/player/channels/player.js";
import type { SponsorLimit, SponsorPolicy } from "../../sdk/player/policy.js";
import type { Hex } from "../../sdk/protocol/hex.js";
import { decimal, fields, integer, object } from "../../sdk/protocol/input.js";
import { readVersioned, versioned } from "../../sdk/protocol/version.js";
import { readFileAs, writeAtomically } from "../shared/files/files.js";

const SECONDS_OF_DAY = 86_400;

/** Gas of a newcomer's first match, with the opening of its channel. */
const NEWCOMER_GAS = 185_000n;

/** Percentage of the estimated gas that a transaction can use. */
const GAS_MARGIN = 120n;

/** Amounts that were spent for one player. */
interface Account {
  /** UTC day to which `today` belongs, counted from 1970. */
  day: number;
  today: SponsorLimit;
  ever: SponsorLimit;
}

const FORMAT = "the budget of a sponsor";
const MOST = Number.MAX_SAFE_INTEGER;
const readSpent = object({ matches: integer(0, MOST), gas: decimal(128) });
const readAccount = object({ day: integer(0, MOST), today: readSpent, ever: readSpent });
const readBudget = readVersioned(FORMAT, object({ players: fields(readAccount) }));

const NOTHING: SponsorLimit = { matches: 0, gas: 0n };

/** Budget of a sponsor, stored in a file so that the budget survives a restart. */
export class SponsorBudget {
  private constructor(
    private readonly file: string,
    private readonly limits: SponsorPolicy,
    private readonly clock: () => number,
    private readonly accounts: Map<string, Account>,
  ) {}

  /** @param clock Returns the time in seconds since 1970. @throws InputError for a damaged file. */
  static async open(file: string, limits: SponsorPolicy, clock: () => number): Promise<SponsorBudget> {
    const kept = await readFileAs(file, readBudget);
    return new SponsorBudget(file, limits, clock, kept?.players ?? new Map<string, Account>());
  }

  /** Number of matches that were paid for today. */
  get matchesToday(): number {
    return this.all.matches;
  }

  /** Returns why the budget does not cover further matches and gas of a player; undefined if it does. */
  refusal(player: string, matches: number, gas: bigint): string | undefined {
    const { today, ever } = this.accountOf(player);
    const { day, opponent, address } = this.limits;
    for (const [spent, limit, whose] of [
      [this.all, day, "today"],
      [today, opponent, "today for this player"],
      [ever, address, "for this player"],
    ] as const) {
      if (spent.matches + matches > limit.matches) {
        return `I have paid for ${spent.matches} matches ${whose}, and pay for ${limit.matches}`;
      }
      if (spent.gas + gas > limit.gas) {
        const [paid, most] = [spent.gas, limit.gas].map(formatEther);
        // The text omits the gas of this transaction, which would make each refusal a different report.
        return `I have paid ${paid} COIN of gas ${whose}, and pay ${most}`;
      }
    }
    return undefined;
  }

  /**
   * Reserves the maximum cost of a transaction before it is sent.
   * @returns a function that replaces that amount with the actual cost.
   */
  async spend(player: string, matches: number, gas: bigint): Promise<(paid: bigint) => Promise<void>> {
    await this.add(player, { matches, gas });
    return (paid) => this.add(player, { matches: 0, gas: paid - gas });
  }

  private async add(player: string, more: SponsorLimit): Promise<void> {
    const { today, ever } = this.accountOf(player);
    const sum = (spent: SponsorLimit): SponsorLimit => ({
      matches: spent.matches + more.matches,
      // A correction after midnight must not give the new day more than its limit.
      gas: spent.gas + more.gas > 0n ? spent.gas + more.gas : 0n,
    });
    this.accounts.set(player, { day: this.day, today: sum(today), ever: sum(ever) });
    const plain = ({ matches, gas }: SponsorLimit) => ({ matches, gas: String(gas) });
    const players = [...this.accounts].map(([address, account]) => {
      return [address, { day: account.day, today: plain(account.today), ever: plain(account.ever) }] as const;
    });
    await writeAtomically(this.file, versioned(FORMAT, { players: Object.fromEntries(players) }));
  }

  private get day(): number {
    return Math.floor(this.clock() / SECONDS_OF_DAY);
  }

  private get all(): SponsorLimit {
    const today = [...this.accounts.values()].filter(({ day }) => day === this.day).map((account) => account.today);
    return today.reduce((sum, { matches, gas }) => ({ matches: sum.matches + matches, gas: sum.gas + gas }), NOTHING);
  }

  private accountOf(player: string): Account {
    const { day } = this;
    const known = this.accounts.get(player) ?? { day, today: NOTHING, ever: NOTHING };
    return known.day === day ? known : { ...known, day, today: NOTHING };
  }
}

/** Pays the gas of rated matches in channels without money, within a budget. */
export class Sponsor {
  /** @param mined Sends a transaction, and returns its receipt. */
  constructor(
    readonly budget: SponsorBudget,
    private readonly wallet: Signer,
    private readonly mined: (request: TransactionRequest) => Promise<TransactionReceipt>,
  ) {}

  /** Returns why a newcomer's match would not be paid for now; undefined if it would. */
  async refusal(player: string): Promise<string | undefined> {
    return this.budget.refusal(player, 1, NEWCOMER_GAS * (await this.fees()).price);
  }

  /**
   * Sends the transaction that is due in a player's channel, if the budget covers it.
   * @returns the reason if it is not paid for; undefined if it was sent.
   * @throws the node's error if the transaction would fail; nothing is spent then.
   */
  async pay(player: string, call: Omit<ChannelCall, "what">): Promise<string | undefined> {
    const { to, data } = call;
    const matches = matchesPaidBy(call);
    if (matches === undefined) return "I pay for rated matches that are over or in the arena only";
    const estimated = await this.wallet.estimateGas({ to, data });
    const { price, fees } = await this.fees();
    const gasLimit = (estimated * GAS_MARGIN) / 100n;
    const refusal = this.budget.refusal(player, matches, gasLimit * price);
    if (refusal !== undefined) return refusal;
    const correct = await this.budget.spend(player, matches, gasLimit * price);
    const receipt = await this.mined({ to, data, gasLimit, ...fees });
    await correct(receipt.fee);
    return undefined;
  }

  /** Reads the fees for a transaction, and the highest gas price that they allow. */
  private async fees(): Promise<{ price: bigint; fees: TransactionRequest }> {
    const { maxFeePerGas, maxPriorityFeePerGas, gasPrice } = await this.wallet.provider!.getFeeData();
    if (maxFeePerGas === null) return { price: gasPrice ?? 0n, fees: { gasPrice: gasPrice ?? 0n } };
    return { price: maxFeePerGas, fees: { maxFeePerGas, maxPriorityFeePerGas } };
  }
}

const abi = Channels__factory.createInterface();

/**
 * Returns the number of rated matches that a transaction settles; undefined if the agent does not pay for it. The agent
 * pays to settle rated matches, also with an opening and a checkpoint, and to continue one in the arena.
 */
export function matchesPaidBy({ data, answers }: Pick<ChannelCall, "data" | "answers">): number | undefined {
  const settled = settledBy(data);
  // The agent accepted this match within the budget, and loses it without an answer; only the limit on gas applies.
  if (answers?.rated) return settled ?? 0;
  return settled === 0 ? undefined : settled;
}

/** Returns the number of rated matches that a call of the channels contract settles; undefined for other effects. */
function settledBy(data: Hex): number | undefined {
  const call = abi.parseTransaction({ data });
  switch (call?.name) {
    case "open":
    case "checkpoint":
      return 0;
    case "play": {
      const { terms, transcripts } = call.args as unknown as { terms: { rated: boolean }; transcripts: unknown[] };
      return terms.rated ? transcripts.length : undefined;
    }
    case "multicall": {
      const parts = [...(call.args[0] as readonly Hex[])].map(settledBy);
      return parts.reduce((sum, part) => (sum === undefined || part === undefined ? undefined : sum + part), 0);
    }
    default:
      return undefined;
  }
}
