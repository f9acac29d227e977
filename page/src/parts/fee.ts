import type { Token } from "duello";
import { formatUnits } from "ethers";
import type { Cost } from "../player/player.ts";

/** Formats a fee by its first digits. @param coin The chain's coin. */
export function feeText({ fee, isWhole }: Cost, { symbol, decimals }: Pick<Token, "symbol" | "decimals">): string {
  return `${isWhole ? "about" : "at least"} ${roughAmount(fee, decimals)} ${symbol}`;
}

/** Formats an amount by its first digits. */
export function roughAmount(amount: bigint, decimals: number): string {
  return Number(formatUnits(amount, decimals)).toLocaleString("en", { maximumSignificantDigits: 2 });
}
