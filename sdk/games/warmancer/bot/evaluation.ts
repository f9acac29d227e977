import { slotAt, type Position } from "../position.js";
import { isMobile, THRONE } from "../ranks.js";
import { NEIGHBOURS, TILES } from "../tiles.js";
import { KINDS } from "./belief.js";
import { RESULTS, VALUES, type Heuristic } from "./heuristic.js";

/** What a game that is won is worth; one that is lost, as much less. */
export const WON = 100;
/** What a Throne is worth that may be attacked next: not the whole game, as it can still be saved. */
const DETHRONED = 60;
/** How much more a pawn is worth while it is hidden. */
const HIDDEN = 0.15;
/** What counts of being near to what can be attacked, and of the attack that is next. */
const PULL = 0.3;
const PROSPECTS = 0.4;
/** The other side attacks a Throne as if it hoped for so much, however little it knows of it. */
const ALARM = 6;

/** Something for each side. */
export type Pair<T> = readonly [T, T];

/**
 * What a position is worth to a side that knows its own ranks, where all ranks are as in `world`.
 * @param world Ranks and 1 by side and slot.
 * @param outlooks What each side may hope for, by side.
 */
export function evaluate(
  position: Position,
  side: number,
  world: Pair<Uint8Array>,
  heuristics: Pair<Heuristic>,
): number {
  const other = 1 - side;
  const [own, others] = [side, other].map((each) => standing(position, each, world[each], heuristics[each]));
  const hopes = prospects(position, side, world, heuristics[side], 0);
  const fears = prospects(position, other, world, heuristics[other], ALARM);
  return own - others + PROSPECTS * (hopes - fears);
}

/** What a side's pawns are worth where they stand. */
function standing({ sides }: Position, side: number, own: Uint8Array, { influence }: Heuristic): number {
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
 * What comes of the attack that a side makes next: the more it hopes for by one, the likelier it is, whatever comes of
 * it.
 * @param alarm What it hopes for by an attack on a Throne, at least.
 */
function prospects(
  { at, sides }: Position,
  side: number,
  world: Pair<Uint8Array>,
  { gains }: Heuristic,
  alarm: number,
): number {
  const { alive, tiles } = sides[side];
  const recorded = sides[1 - side].ranks;
  let sum = 0;
  // It may as well attack nothing.
  let total = 2;
  for (let slot = 0; slot < tiles.length; slot++) {
    const rank = world[side][slot] - 1;
    if (!alive[slot] || !isMobile(rank)) continue;
    const beside = NEIGHBOURS[tiles[slot]];
    for (let i = 0; i < beside.length; i++) {
      const target = slotAt(at[beside[i]], 1 - side);
      if (target < 0) continue;
      const isThrone = world[1 - side][target] - 1 === THRONE;
      const code = recorded[target];
      const seen = code ? RESULTS[rank * KINDS + code - 1] : gains[target * KINDS + rank];
      const hoped = isThrone ? Math.max(seen, alarm) : seen;
      if (hoped <= 0) continue;
      sum += hoped * hoped * (isThrone ? DETHRONED : RESULTS[rank * KINDS + world[1 - side][target] - 1]);
      total += hoped * hoped;
    }
  }
  return sum / total;
}
