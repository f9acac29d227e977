import type { Position } from "../../games/warmancer/position.js";
import { battle, isMobile } from "../../games/warmancer/ranks.js";
import { TILES, tilesOf } from "../../games/warmancer/tiles.js";
import { KINDS, type Belief } from "./belief.js";
import { distancesOn } from "./distance.js";

/** What a pawn is worth, by rank. */
export const VALUES = [40, 3, 2, 3, 2, 3, 4, 5, 6.5, 8, 10, 2];

/** What comes of a battle of known ranks, in worth to who attacks: of rank r against q at r * KINDS + q. */
export const RESULTS = Float64Array.from({ length: KINDS * KINDS }, (_, at) => {
  const [rank, other] = [Math.floor(at / KINDS), at % KINDS];
  const winner = battle(rank, other);
  return (winner === 2 ? 0 : VALUES[other]) - (winner === 1 ? 0 : VALUES[rank]);
});

/** What is left of the pull of a target, a step further off; and so many steps. */
const REACH = 0.92;
const FADING = Float64Array.from({ length: TILES }, (_, steps) => REACH ** steps);

/** What a side may hope for on a board: by what is counted of the other side, and the same for each pawn of a rank. */
export class Outlook {
  /** What to expect of an attack, in worth: of rank r on slot s at s * KINDS + r. */
  readonly gains: Float64Array;
  /** How much a tile draws, by what can be attacked from there later: rank r on tile t at r * TILES + t. */
  readonly pulls: Float64Array;

  constructor(board: Position, side: number, others: Belief) {
    this.gains = gainsOf(others.odds);
    this.pulls = pullsOn(board, side, this.gains);
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

/** The nearest and best target draws most, others do not add to it. */
function pullsOn({ rules, sides }: Position, side: number, gains: Float64Array): Float64Array {
  const pulls = new Float64Array(KINDS * TILES);
  const { alive, tiles } = sides[1 - side];
  const distances = distancesOn(rules.passable);
  const passable = tilesOf(rules.passable);
  for (let slot = 0; slot < tiles.length; slot++) {
    if (!alive[slot]) continue;
    const steps = distances[tiles[slot]];
    for (let rank = 0; rank < KINDS; rank++) {
      const gain = gains[slot * KINDS + rank];
      if (gain <= 0 || !isMobile(rank)) continue;
      for (const tile of passable) {
        const pull = gain * FADING[steps[tile]];
        if (pull > pulls[rank * TILES + tile]) pulls[rank * TILES + tile] = pull;
      }
    }
  }
  return pulls;
}
