import { otherSide } from "../../../protocol/sides.js";
import { slotAt, type Position } from "../position.js";
import { isMobile, THRONE } from "../ranks.js";
import { NEIGHBOURS, TILES } from "../tiles.js";
import { KINDS } from "./belief.js";
import { RESULTS, VALUES, type Heuristic } from "./heuristic.js";

/** Value of a won game; a lost game has the negative value. */
export const WON = 100;
/** Value of a Throne that may be attacked next: less than the value of the game, as the Throne can still be saved. */
const DETHRONED = 60;
/** Fraction by which a hidden pawn is worth more. */
const HIDDEN = 0.15;
/** Weights of closeness to targets, and of the next attack. */
const PULL = 0.3;
const PROSPECTS = 0.4;
/** Minimum gain that the other side is assumed to expect from an attack on a Throne, even on an unknown one. */
const ALARM = 6;

/** Pair of values by side. */
export type Pair<T> = readonly [T, T];

/**
 * Returns the value of a position to a side that knows its own ranks, if all ranks are as in `world`.
 * @param world Codes of ranks (rank + 1) by side and slot.
 * @param heuristics Heuristics by side.
 */
export function evaluate(
  position: Position,
  side: number,
  world: Pair<Uint8Array>,
  heuristics: Pair<Heuristic>,
): number {
  const other = otherSide(side);
  const [own, others] = [side, other].map((each) => sideValue(position, each, world[each], heuristics[each]));
  const hopes = prospects(position, side, world, heuristics[side], 0);
  const fears = prospects(position, other, world, heuristics[other], ALARM);
  return own - others + PROSPECTS * (hopes - fears);
}

/** Returns the value of a side's pawns at their tiles. */
function sideValue({ sides }: Position, side: number, own: Uint8Array, { influence }: Heuristic): number {
  const { alive, tiles, ranks } = sides[side];
  let worth = 0;
  for (let slot = 0; slot < tiles.length; slot++) {
    if (!alive[slot]) continue;
    const rank = own[slot] - 1;
    worth += VALUES[rank] * (ranks[slot] ? 1 : 1 + HIDDEN);
    if (isMobile(rank)) worth += PULL * influence[rank * TILES + tiles[slot]];
  }
  return worth;
}

/**
 * Returns the expected result of a side's next attack. The more a side hopes to gain from an attack, the likelier it is
 * to make it, whatever the real result is.
 * @param alarm Minimum gain that it hopes for from an attack on a Throne.
 */
function prospects(
  { at, sides }: Position,
  side: number,
  world: Pair<Uint8Array>,
  { gains }: Heuristic,
  alarm: number,
): number {
  const { alive, tiles } = sides[side];
  const recorded = sides[otherSide(side)].ranks;
  let sum = 0;
  // Weight of making no attack.
  let total = 2;
  for (let slot = 0; slot < tiles.length; slot++) {
    const rank = world[side][slot] - 1;
    if (!alive[slot] || !isMobile(rank)) continue;
    const beside = NEIGHBOURS[tiles[slot]];
    for (let i = 0; i < beside.length; i++) {
      const target = slotAt(at[beside[i]], otherSide(side));
      if (target < 0) continue;
      const isThrone = world[otherSide(side)][target] - 1 === THRONE;
      const code = recorded[target];
      const seen = code ? RESULTS[rank * KINDS + code - 1] : gains[target * KINDS + rank];
      const hoped = isThrone ? Math.max(seen, alarm) : seen;
      if (hoped <= 0) continue;
      sum += hoped * hoped * (isThrone ? DETHRONED : RESULTS[rank * KINDS + world[otherSide(side)][target] - 1]);
      total += hoped * hoped;
    }
  }
  return sum / total;
}
