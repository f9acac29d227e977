import type { Provider } from "ethers";
import { hashOf } from "../../../sdk/chain/source.js";
import { traitsOf } from "../../../sdk/chain/traits.js";

/**
 * Reads the part of a file name that distinguishes a chain from others with the same id: all local chains share one id,
 * and each start begins a new chain. @returns undefined for a chain that is never restarted.
 */
export async function chainMarkOf(provider: Provider, chainId: number): Promise<string | undefined> {
  return traitsOf(chainId).isRestarted ? genesisMark(await hashOf(provider, 0)) : undefined;
}

/** Returns the part of the first block's hash that is used in names of files. */
export function genesisMark(hash: string): string {
  return hash.slice(2, 18);
}
