import type { AnyEvent } from "./events.js";
import type { BlockId } from "./source.js";

/** Events of a deployment that were read from a chain. */
export interface Content {
  chainId: bigint;
  /** Hash of the chain's first block, if it is known. */
  genesis?: string;
  /** True for a single match, without earlier events. A replay then takes its players' standings from the match. */
  isExcerpt?: boolean;
  /** First block that was read; defaults to 0. */
  fromBlock?: number;
  /** Events in the order of the chain. */
  events: readonly AnyEvent[];
  /** Known blocks with events, in the order of the chain. */
  blocks?: readonly BlockId[];
  /** The last block that was read; its hash is empty if no block was read. */
  last: BlockId;
  /** Known times of blocks, in seconds since 1970. */
  times?: Iterable<readonly [block: number, time: bigint]>;
}
