import type { Block, Provider } from "ethers";
import type { Arena } from "../../typechain-types/index.js";
import { nextTime } from "./time.js";

/** The chain id of local test chains, which no reorganisation ever touches. */
export const TEST_CHAIN = 31_337n;

/** How deep a block is buried before it counts as final where the node does not tell: two epochs. */
const DEPTH = 64;

/**
 * Seconds before the deadline, at most, at which nobody waits any longer for finality: losing by the clock is worse.
 */
const MIN_REST = 600;

/** How a player waits for finality. */
export interface WaitOptions {
  /** Called before each pause with the seconds that are left to wait; what it throws ends the wait. */
  onWait?: (seconds: number) => void;
  /** Called when the deadline is so close that the wait ends without it. */
  onHurry?: () => void;
  /**
   * Seconds before the deadline at which nobody waits any longer: ten minutes, or a quarter of the clock, if left out.
   */
  rest?: number;
  /** Milliseconds between two looks at the chain. */
  pause?: number;
}

/** The newest block that no reorganisation will undo. */
export async function finalBlock(provider: Provider): Promise<Block> {
  const [{ chainId }, latest] = await Promise.all([provider.getNetwork(), provider.getBlock("latest")]);
  if (chainId === TEST_CHAIN) return latest!;
  // Not every node knows the word.
  const finalized = await provider.getBlock("finalized").catch(() => null);
  return finalized ?? (await provider.getBlock(Math.max(0, latest!.number - DEPTH)))!;
}

/** By how many seconds the final block is behind the latest. */
export async function finalityLag(provider: Provider): Promise<number> {
  const [final, latest] = await Promise.all([finalBlock(provider), provider.getBlock("latest")]);
  return Math.max(0, latest!.timestamp - final.timestamp);
}

/**
 * Waits until what the chain says of a match is final, but no longer than its deadline allows. Needs an arena that is
 * connected to a provider.
 */
export async function untilFinal(arena: Arena, matchId: bigint, options: WaitOptions = {}): Promise<void> {
  const { onWait, onHurry, rest, pause = 4000 } = options;
  const { deadline, termsId } = await arena.matchOf(matchId);
  const { clock } = await arena.termsOf(termsId);
  const provider = arena.runner!.provider!;
  const latest = Number(deadline) - (rest ?? Math.min(MIN_REST, Number(clock) / 4));
  while (!(await isFinal(arena, matchId))) {
    const left = latest - (await nextTime(provider));
    if (left <= 0) return onHurry?.();
    onWait?.(left);
    await new Promise((resolve) => setTimeout(resolve, pause));
  }
}

/** Whether the final block says the same of a match as the latest. */
export async function isFinal(arena: Arena, matchId: bigint): Promise<boolean> {
  const { number } = await finalBlock(arena.runner!.provider!);
  const [latest, final] = await Promise.all([
    arena.matchOf(matchId),
    // Unknown there, if it is younger.
    arena.matchOf(matchId, { blockTag: number }).catch(() => undefined),
  ]);
  return latest.toString() === final?.toString();
}
