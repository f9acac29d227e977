import { traitsOf } from "./traits.js";
import type { Block, Provider } from "ethers";
import type { Arena } from "../../typechain-types/index.js";
import type { ArenaMatch } from "./arena.js";
import { readTerms } from "./terms.js";
import { nextTime } from "./time.js";
import { machineClock } from "./waiting.js";

/** Number of blocks after which a block is treated as final if the node does not report finality: two epochs. */
export const FINAL_DEPTH = 64;

/** Maximum seconds before the deadline at which a wait for finality ends: losing by the clock would be worse. */
const MAX_REST = 600;

/** Options of a wait for finality. */
export interface WaitOptions {
  /** Called before each pause with the remaining seconds of the wait; an error that it throws ends the wait. */
  onWait?: (seconds: number) => void;
  /** Called when the wait ends without finality because the deadline is close. */
  onHurry?: () => void;
  /** Seconds before the deadline at which the wait ends; ten minutes or a quarter of the clock by default. */
  rest?: number;
  /** Milliseconds between two polls of the chain; defaults to 4000. */
  pause?: number;
}

/**
 * Reads the newest block that no reorganisation will undo.
 * @throws like the provider.
 * @example
 * ```ts
 * import { finalBlock } from "duello";
 *
 * const { number } = await finalBlock(provider);
 * ```
 */
export async function finalBlock(provider: Provider): Promise<Block> {
  return (await isFinalAtOnce(provider)) ? (await provider.getBlock("latest"))! : finalizedBlock(provider);
}

/** Returns whether each block of the chain is final as soon as it is mined. */
async function isFinalAtOnce(provider: Provider): Promise<boolean> {
  return traitsOf((await provider.getNetwork()).chainId).isFinalAtOnce;
}

/** Reads the newest final block of a chain whose blocks are not final immediately. */
async function finalizedBlock(provider: Provider): Promise<Block> {
  // Some nodes do not support the tag.
  const finalized = await provider.getBlock("finalized").catch(() => null);
  return finalized ?? (await provider.getBlock(Math.max(0, (await provider.getBlockNumber()) - FINAL_DEPTH)))!;
}

/**
 * Reads by how many seconds the final block is older than the latest block.
 * @throws like the provider.
 * @example
 * ```ts
 * import { finalityLag } from "duello";
 *
 * const seconds = await finalityLag(provider); // e.g. 768 on Ethereum, 0 on a local chain
 * ```
 */
export async function finalityLag(provider: Provider): Promise<number> {
  const [final, latest] = await Promise.all([finalBlock(provider), provider.getBlock("latest")]);
  return Math.max(0, latest!.timestamp - final.timestamp);
}

/**
 * Waits until the state of a match is final, but no longer than its deadline allows.
 * @param arena An arena that is connected to a provider.
 * @param seen State that the caller has read and relies on; defaults to the latest state.
 * @returns true if the wait has paused, so that the match may have changed.
 * @throws like the provider, and as `onWait` does.
 * @example
 * ```ts
 * import { untilFinal } from "duello";
 *
 * const hasPaused = await untilFinal(arena, 7n, { onWait: (seconds) => console.log(`at most ${seconds} s`) });
 * if (hasPaused) console.log("Read the match again.");
 * ```
 */
export async function untilFinal(
  arena: Arena,
  matchId: bigint,
  options: WaitOptions = {},
  seen?: ArenaMatch,
): Promise<boolean> {
  const { onWait, onHurry, pause = 4000 } = options;
  if (await isFinal(arena, matchId, seen)) return false;
  const end = await endOfWait(arena, seen ?? (await arena.matchOf(matchId)), options);
  for (let paused = false; ; paused = true) {
    const left = end - (await nextTime(arena.runner!.provider!));
    if (left <= 0) {
      onHurry?.();
      return paused;
    }
    onWait?.(left);
    await machineClock.pause(pause);
    // A reorganisation may have replaced the state that was seen.
    if (await isFinal(arena, matchId)) return true;
  }
}

/** Reads the time, in seconds since 1970, at which a wait for a match's finality must end. */
async function endOfWait(arena: Arena, { deadline, termsId }: ArenaMatch, { rest }: WaitOptions): Promise<number> {
  if (rest !== undefined) return Number(deadline) - rest;
  const { clock } = await readTerms(arena, termsId);
  return Number(deadline) - restSeconds(clock);
}

/** Returns how many seconds before a deadline a wait ends by default. @param clock Seconds that a player has. */
export function restSeconds(clock: bigint): number {
  return Math.min(MAX_REST, Number(clock) / 4);
}

/**
 * Returns whether the arena's state of a match is the same at the final block.
 * @param seen State to compare; defaults to the latest state.
 * @throws like the provider.
 * @example
 * ```ts
 * import { isFinal } from "duello";
 *
 * if (await isFinal(arena, 7n)) console.log("The state of match 7 stays as it is.");
 * ```
 */
export async function isFinal(arena: Arena, matchId: bigint, seen?: ArenaMatch): Promise<boolean> {
  const provider = arena.runner!.provider!;
  if (await isFinalAtOnce(provider)) return true;
  const { number } = await finalizedBlock(provider);
  const [latest, final] = await Promise.all([
    seen ?? arena.matchOf(matchId),
    // At the final block, a match that was created after it is unknown.
    arena.matchOf(matchId, { blockTag: number }).catch(() => undefined),
  ]);
  return latest.toString() === final?.toString();
}
