import { otherSide } from "../../../protocol/sides.js";
import { moveOf, STUCK, type Move } from "../legal-moves.js";
import { slotAt, type Position } from "../position.js";
import { isMobile, SCOUT } from "../ranks.js";
import { NEIGHBOURS, TILES } from "../tiles.js";
import { KINDS } from "./belief.js";
import { RESULTS, type Heuristic } from "./heuristic.js";

/** Noise of a side in a turn. */
export interface RolloutNoise {
  /** Seed of 32 bits: with the same seed a move always has the same noise. */
  seed: number;
  /** Maximum amount that noise adds to a move's value. */
  noise: number;
}

/**
 * Returns the move with the greatest immediate gain plus noise, from an attack or from a step nearer to an attack;
 * STUCK if there is no legal move.
 * @param own Codes of the side's ranks (rank + 1) by slot.
 */
export function rolloutMove(
  { at, open, sides }: Position,
  side: number,
  own: Uint8Array,
  { gains, influence }: Heuristic,
  { seed, noise }: RolloutNoise,
): Move {
  const { alive, tiles } = sides[side];
  const recorded = sides[otherSide(side)].ranks;
  let best = -Infinity;
  let chosen = STUCK;
  for (let slot = 0; slot < tiles.length; slot++) {
    const rank = own[slot] - 1;
    if (!alive[slot] || !isMobile(rank)) continue;
    const from = tiles[slot];
    const drawn = influence[rank * TILES + from];
    const beside = NEIGHBOURS[from];
    for (let i = 0; i < beside.length; i++) {
      const step = beside[i] - from;
      for (let to = beside[i]; open[to]; to += step) {
        const pawn = at[to];
        if (pawn && slotAt(pawn, side) >= 0) break;
        const target = slotAt(pawn, otherSide(side));
        const move = moveOf(from, to);
        let gain = noise * noiseOf(seed, move);
        if (target < 0) gain += influence[rank * TILES + to] - drawn;
        else gain += recorded[target] ? RESULTS[rank * KINDS + recorded[target] - 1] : gains[target * KINDS + rank];
        if (gain > best) {
          best = gain;
          chosen = move;
        }
        if (pawn || rank !== SCOUT || !NEIGHBOURS[to].includes(to + step)) break;
      }
    }
  }
  return chosen;
}

/** Returns the noise of a move, from 0 to below 1, as a hash of the seed and the move. */
function noiseOf(seed: number, move: Move): number {
  let mixed = Math.imul(seed ^ Math.imul(move, 0x9e3779b1), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0xc2b2ae35);
  return ((mixed ^ (mixed >>> 16)) >>> 0) / 2 ** 32;
}
