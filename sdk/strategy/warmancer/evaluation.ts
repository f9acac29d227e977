import { slotAt, type Position } from "../../games/warmancer/position.js";
import { isMobile } from "../../games/warmancer/ranks.js";
import { NEIGHBOURS, TILES } from "../../games/warmancer/tiles.js";
import { KINDS } from "./belief.js";
import { RESULTS, VALUES, type Outlook } from "./outlook.js";

/** What a game that is won is worth. */
export const WON = 60;

/** What counts beside the worth of pawns. */
export interface Weights {
  /** Of a hidden pawn, in parts of its worth. */
  hidden: number;
  /** Of being near to what can be attacked. */
  pull: number;
  /** Of the best attack that is possible next, for each side; and of all others. */
  attack: number;
  threat: number;
  others: number;
}

export const WEIGHTS: Weights = { hidden: 0.15, pull: 0.3, attack: 0.35, threat: 0.45, others: 0.15 };

/**
 * What a position is worth to a side that knows its own ranks, where the other's are as in `world`.
 * @param outlooks What each side may hope for, by side.
 */
export function evaluate(
  position: Position,
  side: number,
  world: readonly [Uint8Array, Uint8Array],
  outlooks: readonly [Outlook, Outlook],
  weights: Weights = WEIGHTS,
): number {
  return (
    half(position, side, world, outlooks, weights, weights.attack) -
    half(position, 1 - side, world, outlooks, weights, weights.threat)
  );
}

/** A side's pawns, and its chances in the next turn. */
function half(
  { at, sides }: Position,
  side: number,
  world: readonly [Uint8Array, Uint8Array],
  outlooks: readonly [Outlook, Outlook],
  weights: Weights,
  first: number,
): number {
  const { alive, tiles, ranks } = sides[side];
  const recorded = sides[1 - side].ranks;
  const own = world[side];
  const { gains, pulls } = outlooks[side];
  let worth = 0;
  let best = 0;
  let all = 0;
  for (let slot = 0; slot < tiles.length; slot++) {
    if (!alive[slot]) continue;
    const rank = own[slot] - 1;
    const tile = tiles[slot];
    worth += ranks[slot] ? VALUES[rank] : VALUES[rank] * (1 + weights.hidden);
    if (!isMobile(rank)) continue;
    worth += weights.pull * pulls[rank * TILES + tile];
    const beside = NEIGHBOURS[tile];
    for (let i = 0; i < beside.length; i++) {
      const pawn = at[beside[i]];
      if (!pawn) continue;
      const target = slotAt(pawn, 1 - side);
      if (target < 0) continue;
      const gain = recorded[target] ? RESULTS[rank * KINDS + recorded[target] - 1] : gains[target * KINDS + rank];
      if (gain <= 0) continue;
      all += gain;
      if (gain > best) best = gain;
    }
  }
  return worth + first * best + weights.others * (all - best);
}
