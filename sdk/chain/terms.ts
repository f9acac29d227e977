import type { Arena } from "../../typechain-types/index.js";
import type { Terms } from "../protocol/terms.js";

/**
 * Reads terms from the arena by their number, as a plain object.
 * @throws an error of ethers with the custom error UnknownTerms if there are none; Error for an invalid answer.
 */
export async function readTerms(arena: Arena, termsId: bigint): Promise<Terms> {
  const answer = await arena.termsOf(termsId);
  try {
    // Ethers decodes a value when it is read, and throws for one that its type cannot have.
    const { game, stake1, token, stake2, mode, clock, feeBps, rated } = answer;
    return { game, stake1, token, stake2, mode, clock, feeBps, rated };
  } catch (cause) {
    throw new Error(`The node does not answer with terms ${termsId}.`, { cause });
  }
}
