import type { Arena } from "../../typechain-types/index.js";
import type { Terms } from "../protocol/terms.js";

/**
 * Reads terms from the arena by their number, as a plain object.
 * @throws an error of ethers with the custom error UnknownTerms if the number has no terms; Error for an invalid
 * answer.
 * @example
 * ```ts
 * import { readTerms } from "duello";
 *
 * const { game, stake1, clock } = await readTerms(arena, 3n);
 * ```
 */
export async function readTerms(arena: Arena, termsId: bigint): Promise<Terms> {
  const answer = await arena.termsOf(termsId);
  try {
    // Ethers decodes a value only when it is read, and throws for a value that its type does not allow.
    const { game, stake1, token, stake2, mode, clock, feeBps, rated } = answer;
    return { game, stake1, token, stake2, mode, clock, feeBps, rated };
  } catch (cause) {
    throw new Error(`The node does not answer with terms ${termsId}.`, { cause });
  }
}
