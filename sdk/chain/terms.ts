import type { Arena } from "../../typechain-types/index.js";
import type { Terms } from "../protocol/terms.js";

/**
 * Reads terms from the arena by their number, as a plain object.
 * @throws an error of ethers with the custom error UnknownTerms if there are none.
 */
export async function readTerms(arena: Arena, termsId: bigint): Promise<Terms> {
  const { game, stake1, token, stake2, mode, clock, feeBps, rated } = await arena.termsOf(termsId);
  return { game, stake1, token, stake2, mode, clock, feeBps, rated };
}
