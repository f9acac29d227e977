import { mostOf, type Levy } from "../../games/warmancer/army.js";
import type { Mode } from "../../games/warmancer/mode.js";
import { isMobile, RANKS, THRONE, TRAP } from "../../games/warmancer/ranks.js";
import { NEIGHBOURS, tilesOf } from "../../games/warmancer/tiles.js";
import { pick, shuffle, type Source } from "../source.js";
import { backOf, depthsOf } from "./distance.js";

/** How far forward a rank belongs: 1 is the front, 0 the back. */
const FORWARD = [0, 0.2, 1, 0.2, 0.6, 0.6, 0.6, 0.6, 0.5, 0.5, 0.4, 0.3];
/** How much chance there is in it. */
const SCATTER = 0.8;
/** The part of the Traps that stand beside the Throne, where there is room; the rest draws attacks elsewhere. */
const GUARDS = 0.6;

/**
 * Ranks by slot of an army of that side, 0 or 1: its Throne at the back with Traps beside it, Scouts in front, all else
 * where chance puts it.
 */
export function suggestSetup(mode: Mode, side: number, source: Source): number[] {
  const tiles = tilesOf(side === 0 ? mode.setup1 : mode.setup2);
  const depths = depthsOf(mode, side);
  const depth = new Map(tiles.map((tile, slot) => [tile, depths[slot]]));
  const deepest = Math.max(...depths);
  const ranks = new Map<number, number>();
  const free = (among: readonly number[]) => among.filter((tile) => depth.has(tile) && !ranks.has(tile));
  const throne = tiles[pick(backOf(mode, side), source)];
  ranks.set(throne, THRONE);
  const army = armyFor(mode, source);
  const traps = army.filter((rank) => rank === TRAP);
  const guards = shuffle(free(NEIGHBOURS[throne]), source).slice(0, Math.ceil(traps.length * GUARDS));
  for (const tile of guards) ranks.set(tile, traps.pop()!);
  const scattered = (keys: readonly number[], key: (of: number) => number) => {
    const noisy = keys.map((each) => [each, key(each) + (SCATTER * source.below(1000)) / 1000] as const);
    return noisy.sort((a, b) => b[1] - a[1]).map(([each]) => each);
  };
  const rest = scattered([...traps, ...army.filter(isMobile)], (rank) => FORWARD[rank]);
  const places = scattered(free(tiles), (tile) => (deepest - depth.get(tile)!) * SCATTER);
  for (const [i, tile] of places.entries()) ranks.set(tile, rest[i]);
  return tiles.map((tile) => ranks.get(tile)!);
}

/** The mode's army; where armies are bought, with what is left of the budget put into better pawns. */
function armyFor(mode: Levy, source: Source): number[] {
  const army = mode.army.flatMap((count, rank) => Array<number>(count).fill(rank));
  let rest = mode.budget - army.reduce((sum, rank) => sum + RANKS[rank].price, 0);
  for (;;) {
    const better = army.flatMap((rank, at) =>
      rank === THRONE ? [] : RANKS.flatMap(({ price }, other) => (upgrades(rank, other, price) ? [[at, other]] : [])),
    );
    if (better.length === 0) return army;
    const [at, other] = pick(better, source);
    rest -= RANKS[other].price - RANKS[army[at]].price;
    army[at] = other;
  }
  function upgrades(rank: number, other: number, price: number): boolean {
    const costs = price - RANKS[rank].price;
    const few = army.filter((each) => each === other).length < mostOf(mode, other);
    return isMobile(other) && costs > 0 && costs <= rest && few;
  }
}
