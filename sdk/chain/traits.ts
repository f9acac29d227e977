/** Chain id of local test chains. */
export const TEST_CHAIN = 31_337n;

/** Properties of a chain that programs depend on. */
export interface ChainTraits {
  /** True if no block is ever undone, so that each block is final immediately. */
  readonly isFinalAtOnce: boolean;
  /** True if blocks are mined only when a transaction is sent. */
  readonly minesOnDemand: boolean;
  /** True if the node sets the clock on request. */
  readonly hasSettableClock: boolean;
  /** True if each start creates a new chain with the same id, so that file names must include its first block. */
  readonly isRestarted: boolean;
  /** True if coin has no value, and the node holds accounts that anybody may use. */
  readonly isFree: boolean;
}

const TEST_TRAITS: ChainTraits = {
  isFinalAtOnce: true,
  minesOnDemand: true,
  hasSettableClock: true,
  isRestarted: true,
  isFree: true,
};

const PUBLIC_TRAITS: ChainTraits = {
  isFinalAtOnce: false,
  minesOnDemand: false,
  hasSettableClock: false,
  isRestarted: false,
  isFree: false,
};

/**
 * Returns the traits of a chain. No other code checks chain ids.
 * @example
 * ```ts
 * import { TEST_CHAIN, traitsOf } from "duello";
 *
 * traitsOf(TEST_CHAIN).isFinalAtOnce; // => true
 * traitsOf(1).isFinalAtOnce; // => false
 * ```
 */
export function traitsOf(chainId: bigint | number): ChainTraits {
  return BigInt(chainId) === TEST_CHAIN ? TEST_TRAITS : PUBLIC_TRAITS;
}
