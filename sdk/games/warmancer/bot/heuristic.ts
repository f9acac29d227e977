import type { Position } from "../position.js";
import { battle, isMobile } from "../ranks.js";
import { NEIGHBOURS, TILES } from "../tiles.js";
import { KINDS, type Belief } from "./belief.js";

/** What a pawn is worth, by rank. */
export const VALUES = [40, 3, 2, 3, 2, 3, 4, 5, 6.5, 8, 10, 2];

/** What comes of a battle of known ranks, in worth to who attacks: of rank r against q at r * KINDS + q. */
export const RESULTS = Float64Array.from({ length: KINDS * KINDS }, (_, at) => {
  const [rank, other] = [Math.floor(at / KINDS), at % KINDS];
  const winner = battle(rank, other);
  return (winner === 2 ? 0 : VALUES[other]) - (winner === 1 ? 0 : VALUES[rank]);
});

/** What is left of the pull of a target, a step further off. */
const REACH = 0.92;

/** What a side may hope for on a board: by what is counted of the other side, and the same for each pawn of a rank. */
export class Heuristic {
  /** What to expect of an attack, in worth: of rank r on slot s at s * KINDS + r. */
  readonly gains: Float64Array;
  /** How much a tile draws, by what can be attacked from there later: rank r on tile t at r * TILES + t. */
  readonly influence: Float64Array;

  /** @param own The side's ranks and 1 by slot, 0 for who is not known. */
  constructor(board: Position, side: number, own: ArrayLike<number>, others: Belief) {
    this.gains = gainsOf(others.odds);
    this.influence = influenceOn(board, side, own, this.gains);
  }
}

function gainsOf(odds: Float64Array): Float64Array {
  const gains = new Float64Array(odds.length);
  for (let at = 0; at < odds.length; at++) {
    const chance = odds[at];
    if (chance === 0) continue;
    const target = at % KINDS;
    for (let rank = 0; rank < KINDS; rank++) gains[at - target + rank] += chance * RESULTS[rank * KINDS + target];
  }
  return gains;
}

/** Each target draws over tiles on which nobody stands for good; what draws most counts, others do not add to it. */
function influenceOn(board: Position, side: number, own: ArrayLike<number>, gains: Float64Array): Float64Array {
  const influence = new Float64Array(KINDS * TILES);
  const { alive, tiles } = board.sides[1 - side];
  for (let rank = 0; rank < KINDS; rank++) {
    if (!isMobile(rank)) continue;
    const free = freeFor(board, side, own, (slot) => gains[slot * KINDS + rank]);
    const influenceOfRank = influence.subarray(rank * TILES, (rank + 1) * TILES);
    for (let slot = 0; slot < tiles.length; slot++) {
      const gain = gains[slot * KINDS + rank];
      if (alive[slot] && gain > 0) spread(influenceOfRank, tiles[slot], gain, free);
    }
  }
  return influence;
}

/**
 * 1 for a tile that can be walked over in the long run: no pawn is there that stays where it is, and must not be
 * attacked.
 */
function freeFor(board: Position, side: number, own: ArrayLike<number>, gainOf: (slot: number) => number): Uint8Array {
  const free = board.open.slice();
  const [mine, others] = [board.sides[side], board.sides[1 - side]];
  for (let slot = 0; slot < mine.tiles.length; slot++) {
    if (mine.alive[slot] && own[slot] && !isMobile(own[slot] - 1)) free[mine.tiles[slot]] = 0;
    if (others.alive[slot] && !others.moved[slot] && gainOf(slot) < 0) free[others.tiles[slot]] = 0;
  }
  return free;
}

/** Spreads the pull of a target as far as nothing draws more. */
function spread(influenceOfRank: Float64Array, target: number, gain: number, free: Uint8Array): void {
  if (gain <= influenceOfRank[target]) return;
  influenceOfRank[target] = gain;
  const reached = [target];
  // The list grows while it is walked.
  for (const tile of reached) {
    const next = influenceOfRank[tile] * REACH;
    for (const beside of NEIGHBOURS[tile]) {
      if (!free[beside] || influenceOfRank[beside] >= next) continue;
      influenceOfRank[beside] = next;
      reached.push(beside);
    }
  }
}
