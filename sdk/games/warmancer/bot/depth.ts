import type { Board } from "../mode.js";
import { NEIGHBOURS, tilesOf } from "../tiles.js";

/** Fraction of a side's slots that is its back. */
const BACK = 1 / 3;

/** Returns the depth of each slot of a side's setup: its average number of steps from the other side's setup. */
export function depthsOf({ passable, setup1, setup2 }: Board, side: number): number[] {
  const [own, others] = (side === 0 ? [setup1, setup2] : [setup2, setup1]).map(tilesOf);
  const open = new Set(tilesOf(passable));
  const sums = own.map(() => 0);
  for (const other of others) {
    const steps = stepsFrom(other, open);
    for (const [slot, tile] of own.entries()) sums[slot] += steps.get(tile)!;
  }
  return sums.map((sum) => sum / others.length);
}

/** Returns the slots at the back, where players put their Thrones: the deepest ones of a side's setup. */
export function backOf(mode: Board, side: number): number[] {
  const depths = depthsOf(mode, side);
  const deepest = [...depths].sort((one, other) => other - one)[Math.ceil(depths.length * BACK) - 1];
  return [...depths.keys()].filter((slot) => depths[slot] >= deepest);
}

/** Returns the number of steps to each tile over passable tiles, ignoring pawns. */
function stepsFrom(start: number, passable: ReadonlySet<number>): Map<number, number> {
  const steps = new Map([[start, 0]]);
  // The map grows during iteration.
  for (const [tile, count] of steps) {
    for (const beside of NEIGHBOURS[tile]) {
      if (passable.has(beside) && !steps.has(beside)) steps.set(beside, count + 1);
    }
  }
  return steps;
}
