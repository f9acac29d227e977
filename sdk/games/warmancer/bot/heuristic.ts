import { otherSide } from "../../../protocol/sides.js";
import type { Position } from "../position.js";
import { battle, isMobile } from "../ranks.js";
import { NEIGHBOURS, TILES } from "../tiles.js";
import { KINDS, type Belief } from "./belief.js";

/** Value of a pawn, by rank. */
export const VALUES = [40, 3, 2, 3, 2, 3, 4, 5, 6.5, 8, 10, 2];

/** Values to the attacker of battles between known ranks: index r * KINDS + q is rank r attacking rank q. */
export const RESULTS = Float64Array.from({ length: KINDS * KINDS }, (_, at) => {
  const [rank, other] = [Math.floor(at / KINDS), at % KINDS];
  const winner = battle(rank, other);
  return (winner === 2 ? 0 : VALUES[other]) - (winner === 1 ? 0 : VALUES[rank]);
});

/** Factor by which a target's influence decays per step. */
const REACH = 0.92;

/**
 * Heuristic of a side on a board. The gains of its attacks depend on its belief about the other side, and are equal for
 * pawns of the same rank.
 */
export class Heuristic {
  /** Expected gains of attacks, as values: of rank r on slot s at s * KINDS + r. */
  readonly gains: Float64Array;
  /** Influence map of targets that can be attacked from a tile later: for rank r on tile t at r * TILES + t. */
  readonly influence: Float64Array;

  /** @param own Codes of the side's ranks (rank + 1) by slot, 0 for an unknown one. */
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

/** Returns the influence map. Targets influence free tiles; each tile has the strongest influence that reaches it. */
function influenceOn(board: Position, side: number, own: ArrayLike<number>, gains: Float64Array): Float64Array {
  const influence = new Float64Array(KINDS * TILES);
  const { alive, tiles } = board.sides[otherSide(side)];
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

/** Returns 1 for each tile that can become free: no pawn occupies it permanently. */
function freeFor(board: Position, side: number, own: ArrayLike<number>, gainOf: (slot: number) => number): Uint8Array {
  const free = board.open.slice();
  const [mine, others] = [board.sides[side], board.sides[otherSide(side)]];
  for (let slot = 0; slot < mine.tiles.length; slot++) {
    if (mine.alive[slot] && own[slot] && !isMobile(own[slot] - 1)) free[mine.tiles[slot]] = 0;
    if (others.alive[slot] && !others.moved[slot] && gainOf(slot) < 0) free[others.tiles[slot]] = 0;
  }
  return free;
}

/** Spreads the influence of a target to all tiles where no other influence is stronger. */
function spread(influenceOfRank: Float64Array, target: number, gain: number, free: Uint8Array): void {
  if (gain <= influenceOfRank[target]) return;
  influenceOfRank[target] = gain;
  const reached = [target];
  // The list grows during iteration.
  for (const tile of reached) {
    const next = influenceOfRank[tile] * REACH;
    for (const beside of NEIGHBOURS[tile]) {
      if (!free[beside] || influenceOfRank[beside] >= next) continue;
      influenceOfRank[beside] = next;
      reached.push(beside);
    }
  }
}
