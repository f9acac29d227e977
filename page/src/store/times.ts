import type { IndexRow } from "duello";
import { useEffect, useState } from "preact/hooks";
import type { Chain } from "./chain.ts";
import type { ListedMatch } from "./ledger.ts";

/** Times of blocks that an index has reported, in seconds since 1970, by chain. */
const told = new WeakMap<Chain, Map<number, number>>();

/** Stores the times of a match from an index. */
export function noteTimes(chain: Chain, { createdBlock, createdAt, lastBlock, settledAt }: IndexRow<"match">): void {
  const times = told.get(chain) ?? new Map<number, number>();
  told.set(chain, times.set(createdBlock, Number(createdAt)));
  if (settledAt !== undefined) times.set(lastBlock, Number(settledAt));
}

function timeOf(chain: Chain, block: number): number | undefined {
  const read = chain.archive.peek()?.timeOf(block);
  return read === undefined ? told.get(chain)?.get(block) : Number(read);
}

/** Returns the block whose time a list shows for a match: of its end, or otherwise of the offer. */
function blockOf({ settlement, lastBlock, createdBlock }: ListedMatch): number {
  return settlement ? lastBlock : createdBlock;
}

/**
 * Returns the times of listed matches in seconds since 1970: of their ends, or otherwise of the offers. Reads all
 * unknown times in one request, and omits those that the node does not return.
 */
export function useTimes(chain: Chain, matches: readonly ListedMatch[]): (match: ListedMatch) => number | undefined {
  const [, setRead] = useState(0);
  const missing = matches.map(blockOf).filter((block) => timeOf(chain, block) === undefined);
  // No events are needed for times that an index has reported.
  const archive = missing.length === 0 ? undefined : chain.archive.value;
  useEffect(() => {
    if (!archive || missing.length === 0) return;
    archive.readTimes(missing).then(
      () => setRead((count) => count + 1),
      () => undefined,
    );
  }, [archive, missing.join()]);
  return (match) => timeOf(chain, blockOf(match));
}
