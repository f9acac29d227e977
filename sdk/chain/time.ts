import type { JsonRpcApiProvider, Provider } from "ethers";

/**
 * Reads the minimum time of the next block, in seconds since 1970. Reads the pending block too, since the latest block
 * may be old on a chain without traffic.
 * @throws like the provider.
 * @example
 * ```ts
 * import { nextTime } from "duello";
 *
 * const isOver = BigInt(await nextTime(provider)) > view.deadline;
 * ```
 */
export async function nextTime(provider: Provider): Promise<number> {
  const [latest, pending] = await Promise.all([provider.getBlock("latest"), pendingTime(provider)]);
  return Math.max(latest!.timestamp, pending);
}

/** Reads the time of the pending block; 0 if the node has none. */
async function pendingTime(provider: Provider): Promise<number> {
  if (!("send" in provider)) return 0;
  // Ethers itself cannot read a block without a number.
  const asked = (provider as JsonRpcApiProvider).send("eth_getBlockByNumber", ["pending", false]) as Promise<unknown>;
  const pending = await asked.catch(() => null);
  return Number((pending as { timestamp?: string } | null)?.timestamp) || 0;
}
