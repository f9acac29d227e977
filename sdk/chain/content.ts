import type { AnyEvent } from "./events.js";
import type { BlockId } from "./source.js";

/** The events of a deployment that were read of a chain. */
export interface Content {
  chainId: bigint;
  /** Hash of the chain's first block, if it is known. */
  genesis?: string;
  /** True for a single match, without earlier events: a replay takes the standing of its players from the match. */
  isExcerpt?: boolean;
  /** Block from which on it was read; defaults to 0. */
  fromBlock?: number;
  /** Events in the order of the chain. */
  events: readonly AnyEvent[];
  /** Blocks that have events, in the order of the chain, as far as they are known. */
  blocks?: readonly BlockId[];
  /** The last block that was read; without a hash if none was. */
  last: BlockId;
  /** Times of blocks, as far as they are known, in seconds since 1970. */
  times?: Iterable<readonly [block: number, time: bigint]>;
}
