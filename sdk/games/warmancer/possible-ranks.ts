import { maxOf, priceOf } from "./army.js";
import type { Position } from "./position.js";
import { isMobile, RANKS, SCOUT } from "./ranks.js";

/**
 * Lists the ranks that each pawn of a side may still have, by slot, according to public information: the army that the
 * mode allows less the known ranks, and which pawns have moved and moved far.
 * @param known Codes of ranks (rank + 1) by slot, 0 for hidden ones.
 * @example
 * ```ts
 * import { possibleRanks, RANKS } from "duello/games/warmancer";
 *
 * const mayBe = possibleRanks(position, 1, position.sides[1].ranks);
 * console.log(mayBe[12].map((rank) => RANKS[rank].name)); // e.g. ["Scout", "Seer"]
 * ```
 */
export function possibleRanks({ rules, sides }: Position, side: number, known: Uint8Array): number[][] {
  const { alive, moved, movedFar } = sides[side];
  const counts = RANKS.map(() => 0);
  for (const [slot, code] of known.entries()) {
    if (code) counts[code - 1]++;
    else if (alive[slot] && movedFar[slot]) counts[SCOUT]++;
  }
  const left = rules.budget === 0 ? Infinity : rules.budget - priceOf(counts);
  const open = RANKS.flatMap(({ price }, rank) => (counts[rank] < maxOf(rules, rank) && price <= left ? rank : []));
  const mobile = open.filter(isMobile);
  return Array.from(known, (code, slot) => {
    if (code) return [code - 1];
    if (movedFar[slot]) return [SCOUT];
    return moved[slot] ? mobile : open;
  });
}
