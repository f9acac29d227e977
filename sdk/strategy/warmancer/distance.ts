import type { Board } from "../../games/warmancer/mode.js";
import { NEIGHBOURS, TILES, tilesOf } from "../../games/warmancer/tiles.js";

/** Where no way leads. */
const FAR = 255;

const known = new Map<bigint, Uint8Array[]>();
const MOST_KNOWN = 100;

/** Steps from tile to tile over passable tiles, as if nobody stood there. */
export function distancesOn(passable: bigint): readonly Uint8Array[] {
  const old = known.get(passable);
  if (old) return old;
  const tiles = new Set(tilesOf(passable));
  const distances = Array.from({ length: TILES }, (_, tile) => (tiles.has(tile) ? stepsFrom(tile, tiles) : NOWHERE));
  if (known.size >= MOST_KNOWN) known.clear();
  known.set(passable, distances);
  return distances;
}

const NOWHERE = new Uint8Array(TILES).fill(FAR);

function stepsFrom(start: number, passable: ReadonlySet<number>): Uint8Array {
  const steps = NOWHERE.slice();
  steps[start] = 0;
  const reached = [start];
  // The list grows while it is walked.
  for (const tile of reached) {
    for (const beside of NEIGHBOURS[tile]) {
      if (!passable.has(beside) || steps[beside] !== FAR) continue;
      steps[beside] = steps[tile] + 1;
      reached.push(beside);
    }
  }
  return steps;
}

/** How deep behind its front each slot of a side's setup is: its steps from the other's setup, on average. */
export function depthsOf(mode: Board, side: number): number[] {
  const [own, others] = [mode.setup1, mode.setup2].map(tilesOf);
  const [tiles, enemies] = side === 0 ? [own, others] : [others, own];
  const distances = distancesOn(mode.passable);
  return tiles.map((tile) => enemies.reduce((sum, enemy) => sum + distances[tile][enemy], 0) / enemies.length);
}

/** Slots at the back, where players put their Thrones: the deepest third of a side's setup. */
export function backOf(mode: Board, side: number): number[] {
  const depths = depthsOf(mode, side);
  const deepest = [...depths].sort((one, other) => other - one)[Math.ceil(depths.length / 3) - 1];
  return [...depths.keys()].filter((slot) => depths[slot] >= deepest);
}
