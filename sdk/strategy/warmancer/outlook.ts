import { tilesOfMove, type Move } from "../../games/warmancer/moves.js";
import { slotAt, type Position } from "../../games/warmancer/position.js";
import { battle, isMobile } from "../../games/warmancer/ranks.js";
import { TILES, tilesOf } from "../../games/warmancer/tiles.js";
import { KINDS, type Belief } from "./belief.js";
import { distancesOn } from "./distance.js";

/** What a pawn is worth, by rank. */
export const VALUES = [40, 3, 2, 3, 2, 3, 4, 5, 6.5, 8, 10, 2];
/** What is left of the pull of a target, a step further off. */
const REACH = 0.92;

/** What a side may hope for on a board: by what is counted of the other side, and the same for each pawn of a rank. */
export class Outlook {
  /** What to expect of an attack, in worth: of rank r on slot s at s * KINDS + r. */
  readonly gains: Float64Array;
  /** How much a tile draws, by what can be attacked from there later: rank r on tile t at r * TILES + t. */
  readonly pulls = new Float64Array(KINDS * TILES);

  constructor(
    private readonly board: Position,
    private readonly side: number,
    others: Belief,
    throne = -1,
    guard = 0,
  ) {
    this.gains = gainsOf(others.odds);
    const { alive, tiles } = board.sides[1 - side];
    const distances = distancesOn(board.rules.passable);
    if (throne >= 0 && guard > 0) {
      const home = board.sides[side].tiles[throne];
      for (let slot = 0; slot < tiles.length; slot++) {
        if (!alive[slot] || !board.sides[1 - side].moved[slot]) continue;
        const d = distances[tiles[slot]][home];
        for (let rank = 0; rank < KINDS; rank++) {
          let p = 0;
          for (let q = 0; q < KINDS; q++) if (battle(rank, q) !== 2) p += others.odds[slot * KINDS + q];
          this.gains[slot * KINDS + rank] += (p * guard) / d / d;
        }
      }
    }
    const passable = tilesOf(board.rules.passable);
    for (let slot = 0; slot < tiles.length; slot++) {
      if (!alive[slot]) continue;
      const steps = distances[tiles[slot]];
      for (let rank = 0; rank < KINDS; rank++) {
        const gain = this.gains[slot * KINDS + rank];
        if (gain <= 0 || !isMobile(rank)) continue;
        for (const tile of passable) {
          const pull = gain * REACH ** steps[tile];
          if (pull > this.pulls[rank * TILES + tile]) this.pulls[rank * TILES + tile] = pull;
        }
      }
    }
  }

  /** What a move of a pawn of that rank gains at once: by an attack, or a step nearer to one. */
  gainOf(move: Move, rank: number): number {
    const [from, to] = tilesOfMove(move);
    const target = slotAt(this.board.at[to], 1 - this.side);
    if (target >= 0) return this.gains[target * KINDS + rank];
    return this.pulls[rank * TILES + to] - this.pulls[rank * TILES + from];
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

/** What comes of a battle of known ranks, in worth to who attacks: of rank r against q at r * KINDS + q. */
export const RESULTS = Float64Array.from({ length: KINDS * KINDS }, (_, at) => {
  const [rank, other] = [Math.floor(at / KINDS), at % KINDS];
  const winner = battle(rank, other);
  return (winner === 2 ? 0 : VALUES[other]) - (winner === 1 ? 0 : VALUES[rank]);
});
