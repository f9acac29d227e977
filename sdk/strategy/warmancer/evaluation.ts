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
  /** Of the attacks that are possible next, for each side. */
  attack: number;
  threat: number;
  alarm: number;
}

export const WEIGHTS: Weights = { hidden: 0.15, pull: 0.3, attack: 0.4, threat: 0.4, alarm: 0 };

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
    standing(position, side, world[side], outlooks[side], weights) -
    standing(position, 1 - side, world[1 - side], outlooks[1 - side], weights) +
    weights.attack * prospects(position, side, world, outlooks[side], 0) -
    weights.threat * prospects(position, 1 - side, world, outlooks[1 - side], weights.alarm)
  );
}

function standing({ sides }: Position, side: number, own: Uint8Array, { pulls }: Outlook, weights: Weights): number {
  const { alive, tiles, ranks } = sides[side];
  let worth = 0;
  for (let slot = 0; slot < tiles.length; slot++) {
    if (!alive[slot]) continue;
    const rank = own[slot] - 1;
    worth += ranks[slot] ? VALUES[rank] : VALUES[rank] * (1 + weights.hidden);
    if (isMobile(rank)) worth += weights.pull * pulls[rank * TILES + tiles[slot]];
  }
  return worth;
}

/** What comes of the attack that a side makes next: the more it hopes for by one, the likelier it is, whatever comes of it. */
function prospects(
  { at, sides }: Position,
  side: number,
  world: readonly [Uint8Array, Uint8Array],
  { gains }: Outlook,
  alarm: number,
): number {
  const { alive, tiles } = sides[side];
  const others = sides[1 - side];
  let sum = 0;
  let total = 2;
  for (let slot = 0; slot < tiles.length; slot++) {
    const rank = world[side][slot] - 1;
    if (!alive[slot] || !isMobile(rank)) continue;
    const beside = NEIGHBOURS[tiles[slot]];
    for (let i = 0; i < beside.length; i++) {
      const target = slotAt(at[beside[i]], 1 - side);
      if (target < 0) continue;
      const recorded = others.ranks[target];
      const other = world[1 - side][target] - 1;
      let hoped = recorded ? RESULTS[rank * KINDS + recorded - 1] : gains[target * KINDS + rank];
      if (other === 0 && hoped < alarm) hoped = alarm;
      if (hoped <= 0) continue;
      sum += hoped * hoped * (other === 0 ? WON : RESULTS[rank * KINDS + other]);
      total += hoped * hoped;
    }
  }
  return sum / total;
}
