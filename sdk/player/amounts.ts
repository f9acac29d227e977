import { formatUnits } from "ethers";
import type { Addresses } from "../chain/addresses.js";
import { COIN } from "../protocol/terms.js";

/** A token. Amounts are shown in units of 10^decimals, with 0 decimals if the token reports no readable number. */
export interface Token {
  address: string;
  symbol: string;
  decimals: number;
}

/** Addresses of a deployment's own tokens. */
export type OwnTokens = Partial<Pick<Addresses, "FightToken">>;

/**
 * Returns the token at an address if it is the chain's coin or FIGHT.
 * @example
 * ```ts
 * import { COIN, ownToken } from "duello";
 *
 * ownToken(addresses, COIN)?.symbol; // => "COIN"
 * ownToken(addresses, alice); // => undefined
 * ```
 */
export function ownToken({ FightToken }: OwnTokens, address: string): Token | undefined {
  if (address === COIN) return { address, symbol: "COIN", decimals: 18 };
  return address === FightToken ? { address, symbol: "FIGHT", decimals: 18 } : undefined;
}

/**
 * Formats an amount with the symbol of its token.
 * @example
 * ```ts
 * import { amountText } from "duello";
 *
 * amountText(12_500_000_000_000_000_000n, fight); // => "12.5 FIGHT"
 * ```
 */
export function amountText(amount: bigint, { symbol, decimals }: Token): string {
  return `${formatUnits(amount, decimals).replace(/\.0$/, "")} ${symbol}`;
}
