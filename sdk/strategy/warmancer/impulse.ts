import { moveOf, STUCK, type Move } from "../../games/warmancer/moves.js";
import { slotAt, type Position } from "../../games/warmancer/position.js";
import { isMobile, SCOUT } from "../../games/warmancer/ranks.js";
import { NEIGHBOURS, TILES } from "../../games/warmancer/tiles.js";
import type { QuickSource } from "../source.js";
import { KINDS } from "./belief.js";
import { RESULTS, type Outlook } from "./outlook.js";

/** The move that gains most at once, as `Outlook.gainOf` counts it, give or take some noise. */
export function impulse(
  { at, open, sides }: Position,
  side: number,
  own: Uint8Array,
  { gains, pulls }: Outlook,
  noise: number,
  quick: QuickSource,
): Move {
  const { alive, tiles } = sides[side];
  const recorded = sides[1 - side].ranks;
  let best = -Infinity;
  let chosen = STUCK;
  for (let slot = 0; slot < tiles.length; slot++) {
    const rank = own[slot] - 1;
    if (!alive[slot] || !isMobile(rank)) continue;
    const from = tiles[slot];
    const base = pulls[rank * TILES + from];
    const beside = NEIGHBOURS[from];
    for (let i = 0; i < beside.length; i++) {
      const step = beside[i] - from;
      for (let to = beside[i]; open[to]; to += step) {
        const pawn = at[to];
        if (pawn && slotAt(pawn, side) >= 0) break;
        let gain;
        if (pawn) {
          const target = slotAt(pawn, 1 - side);
          gain = recorded[target] ? RESULTS[rank * KINDS + recorded[target] - 1] : gains[target * KINDS + rank];
        } else gain = pulls[rank * TILES + to] - base;
        gain += noise * quick.unit();
        if (gain > best) {
          best = gain;
          chosen = moveOf(from, to);
        }
        if (pawn || rank !== SCOUT || !NEIGHBOURS[to].includes(to + step)) break;
      }
    }
  }
  return chosen;
}
