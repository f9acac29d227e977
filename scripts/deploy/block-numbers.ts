import { concat, type Provider } from "ethers";

/** Code that returns `block.number`: NUMBER, MSTORE at 0, RETURN of 32 bytes. */
const NUMBER = concat(["0x43", "0x5f52", "0x60205ff3"]);

/**
 * Checks that contracts see the numbers of the chain's own blocks, as events carry them. Pistols reads records as of
 * the previous block, and a replay finds that block by its number.
 * @throws Error on a chain that gives contracts another chain's block numbers, as Arbitrum does.
 */
export async function requireOwnBlockNumbers(provider: Pick<Provider, "getBlockNumber" | "call">): Promise<void> {
  const block = await provider.getBlockNumber();
  const seen = BigInt(await provider.call({ data: NUMBER, blockTag: block }));
  // Some nodes run a call in the block after the requested one.
  if (seen === BigInt(block) || seen === BigInt(block) + 1n) return;
  throw new Error(
    `block.number is ${seen} in block ${block} of this chain, so that replays of pistols would go wrong: deploy to another chain.`,
  );
}
