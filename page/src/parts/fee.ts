import type { Token } from "duello";
import { formatUnits } from "ethers";
import type { Cost } from "../session/player.ts";

/** Words a fee, of which the first digits are enough. @param coin The chain's coin. */
export function feeText({ fee, isWhole }: Cost, { symbol, decimals }: Pick<Token, "symbol" | "decimals">): string {
  return `${isWhole ? "about" : "at least"} ${roughAmount(fee, decimals)} ${symbol}`;
}

/** Words an amount by its first digits. */
export function roughAmount(amount: bigint, decimals: number): string {
  return Number(formatUnits(amount, decimals)).toLocaleString("en", { maximumSignificantDigits: 2 });
}
