import { maxOf, priceOf, type ArmyRules } from "../army.js";
import type { Mode } from "../mode.js";
import { isMobile, RANKS, THRONE, TRAP } from "../ranks.js";
import { NEIGHBOURS, tilesOf } from "../tiles.js";
import { pick, shuffle, type RandomSource } from "../../../bots/source.js";
import { backOf, depthsOf } from "./depth.js";

/** Weight of a step towards the back, relative to noise. */
const STEP = 0.8;

/** Style of setting up an army. */
export interface SetupStyle {
  /** Place of each rank: 1 is the front, 0 the back. */
  readonly forward: readonly number[];
  /** Noise that is added to the places of ranks and to the order of slots. */
  readonly scatter: number;
  /** Fraction of the Traps beside the Throne, if there is room; the others draw attacks elsewhere. */
  readonly guards: number;
}

/** Styles of setting up an army, by name. */
export const SETUP_STYLES = {
  /** Scouts in front, everything else at random. */
  balanced: { forward: [0, 0.2, 1, 0.2, 0.6, 0.6, 0.6, 0.6, 0.5, 0.5, 0.4, 0.3], scatter: 0.8, guards: 0.6 },
  /** The strongest pawns in front. */
  assault: { forward: [0, 0.5, 0.4, 0.3, 0.4, 0.5, 0.6, 0.8, 0.9, 1, 1, 0], scatter: 0.4, guards: 0.3 },
  /** All Traps beside the Throne, weak pawns in front of strong ones. */
  fortress: { forward: [0, 0.1, 0.9, 0.5, 1, 0.9, 0.6, 0.4, 0.3, 0.2, 0.1, 0.7], scatter: 0.4, guards: 1 },
  /** Random order, except for the Throne. */
  scattered: { forward: [0, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5], scatter: 4, guards: 0 },
} satisfies Record<string, SetupStyle>;

/**
 * Suggests a setup for side 0 or 1, as ranks by slot: the Throne at the back, the rest according to the style.
 * @example
 * ```ts
 * import { cryptoSource, suggestWarmancerSetup } from "duello/bots";
 * import { decodeMode } from "duello/games/warmancer";
 *
 * const ranks = suggestWarmancerSetup(decodeMode("0x"), 0, cryptoSource);
 * ranks.length; // => 40
 * ```
 */
export function suggestSetup(
  mode: Mode,
  side: number,
  source: RandomSource,
  { forward, scatter, guards }: SetupStyle = SETUP_STYLES.balanced,
): number[] {
  const tiles = tilesOf(side === 0 ? mode.setup1 : mode.setup2);
  const depths = depthsOf(mode, side);
  const army = armyFor(mode, source);
  const traps = army.filter((rank) => rank === TRAP);
  const free = new Set(tiles.keys());
  const ranks = tiles.map(() => THRONE);
  const put = (slot: number, rank: number) => {
    ranks[slot] = rank;
    free.delete(slot);
  };
  const throne = pick(backOf(mode, side), source);
  put(throne, THRONE);
  const beside = NEIGHBOURS[tiles[throne]].map((tile) => tiles.indexOf(tile)).filter((slot) => free.has(slot));
  const guarded = shuffle(beside, source).slice(0, Math.ceil(traps.length * guards));
  for (const slot of guarded) put(slot, traps.pop()!);
  const rest = scattered([...traps, ...army.filter(isMobile)], (rank) => forward[rank], scatter, source);
  const places = scattered([...free], (slot) => -STEP * depths[slot], scatter, source);
  for (const [i, slot] of places.entries()) put(slot, rest[i]);
  return ranks;
}

/** Sorts items by a key with noise, highest first. */
function scattered(
  items: readonly number[],
  key: (item: number) => number,
  scatter: number,
  source: RandomSource,
): number[] {
  const keyed = items.map((item) => ({ item, key: key(item) + (scatter * source.below(1000)) / 1000 }));
  return keyed.sort((one, other) => other.key - one.key).map(({ item }) => item);
}

/** Returns the mode's army; if armies are bought, the rest of the budget buys better pawns. */
function armyFor(mode: ArmyRules, source: RandomSource): number[] {
  const army = mode.army.flatMap((count, rank) => Array<number>(count).fill(rank));
  let rest = mode.budget - priceOf(mode.army);
  for (;;) {
    const better = army.flatMap((rank, at) => betterThan(rank, army, mode, rest).map((other) => ({ at, other })));
    if (better.length === 0) return army;
    const { at, other } = pick(better, source);
    rest -= RANKS[other].price - RANKS[army[at]].price;
    army[at] = other;
  }
}

/** Returns the better ranks that the rest of the budget can buy for a pawn of an army. */
function betterThan(rank: number, army: readonly number[], mode: ArmyRules, rest: number): number[] {
  if (rank === THRONE) return [];
  return [...RANKS.keys()].filter((other) => {
    const costs = RANKS[other].price - RANKS[rank].price;
    const count = army.filter((each) => each === other).length;
    return isMobile(other) && costs > 0 && costs <= rest && count < maxOf(mode, other);
  });
}
