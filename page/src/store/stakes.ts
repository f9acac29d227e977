import { formatUnits, parseUnits } from "ethers";

/** Reads an amount of a token of 18 decimals, as people write it; undefined if it is invalid. */
export function unitsOf(amount: string): bigint | undefined {
  if (!/^\d{1,30}([.]\d{1,18})?$/.test(amount.trim())) return undefined;
  return parseUnits(amount.trim());
}

/** Writes an amount as `unitsOf` reads it. */
export function unitsText(amount: bigint): string {
  return formatUnits(amount).replace(/\.0$/, "");
}

/**
 * Returns the stakes of both players; the amount is the higher stake.
 * @param odds Fair odds of the mode. Returns undefined if player 1 cannot lose and the amount is not 0.
 */
export function stakesOf(
  odds: readonly [bigint, bigint],
  amount: bigint,
): { stake1: bigint; stake2: bigint } | undefined {
  if (odds[1] === 0n && amount > 0n) return undefined;
  // In a mode that favours player 1, player 1 stakes more, in proportion to the fair odds.
  return { stake1: amount, stake2: odds[0] === 0n ? amount : (amount * odds[1]) / odds[0] };
}
