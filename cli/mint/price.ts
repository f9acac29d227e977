import { traitsOf } from "../../sdk/chain/traits.js";
import { dataSlice, formatEther, formatUnits, id } from "ethers";
import type { Hex } from "../../sdk/protocol/hex.js";
import { costOf, type Cost } from "../shared/command/cost.js";
import type { Flags } from "../shared/command/command.js";
import { log, requireConsent } from "../shared/command/output.js";
import type { CommandContext } from "../shared/command/context.js";
import { mintError } from "./minters.js";
import type { Kind } from "./mints.js";

/** Similar transactions: the gas of one transaction is estimated, and used for all of them. */
export interface Calls {
  /** Description of the minted tokens, if any. */
  kind?: Kind;
  to: string;
  data: Hex;
  count: number;
}

/** Price of transactions that are about to be sent. Amounts are in wei. */
export interface Price extends Cost {
  transactions: number;
  balance: bigint;
}

/** Address without tokens: the first token of an address costs the most gas. */
const NEWCOMER = dataSlice(id("a receiver without tokens"), 12);

/** Estimates transactions of the caller at current prices. @throws Error if the chain would refuse one of them. */
export async function priceOf(context: CommandContext, calls: readonly Calls[]): Promise<Price> {
  const { provider } = context;
  const from = await context.address();
  let gas = 0n;
  for (const { kind, to, data, count } of calls) {
    const estimate = provider.estimateGas({ from, to, data }).catch(async (error: unknown) => {
      throw kind ? await mintError(context, kind, from, error) : error;
    });
    gas += BigInt(count) * (await estimate);
  }
  const cost = await costOf(provider, gas, calls);
  const transactions = calls.reduce((sum, { count }) => sum + count, 0);
  return { ...cost, transactions, balance: await provider.getBalance(from) };
}

/** Returns the data of a mint for a receiver without tokens. */
export function forNewcomer(data: Hex): Hex {
  // The receiver is the first argument, after the selector and twelve zero bytes.
  return data.slice(0, 34) + NEWCOMER.slice(2) + data.slice(74);
}

/** Describes a price in words. */
export function priceText({ transactions, gas, price, cost, balance }: Price): string {
  const count = transactions === 1 ? "1 transaction" : `${transactions} transactions`;
  const sum = `${formatEther(cost)} coin at ${formatUnits(price, "gwei")} gwei`;
  return `${count}, about ${gas.toLocaleString("en")} gas: ${sum}. Your account has ${formatEther(balance)} coin.`;
}

/**
 * Prints the price and, except on a test chain, requires --yes or a confirmation at the terminal.
 * @throws Error if the caller cannot pay the price, or does not accept it.
 */
export async function acceptPrice(context: CommandContext, price: Price, { yes }: Flags): Promise<void> {
  const { reserve, balance } = price;
  log(priceText(price));
  if (balance < reserve) {
    const needed = `${formatEther(reserve)} that it must have, since the price may rise meanwhile`;
    throw new Error(`Your account has ${formatEther(balance)} coin, less than the ${needed}.`);
  }
  if (yes || traitsOf(context.chainId).isFree) return;
  await requireConsent("Send it?", "Add --yes to pay this without being asked.");
}
