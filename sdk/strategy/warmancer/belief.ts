import type { Position } from "../../games/warmancer/position.js";
import { isMobile, RANKS, SCOUT, THRONE, TRAP } from "../../games/warmancer/ranks.js";
import { pickWeighted, shuffle, type Source } from "../source.js";

/** Ranks there are. */
export const KINDS = RANKS.length;

/**
 * What can be told of a side's hidden pawns by counting: its army less what is known, who has moved, who has moved far.
 * Where armies are bought the mode's own army is what is counted from, and may not fit: then ranks come as often as in it.
 */
export class Belief {
  /** Chances of ranks by slot: of rank r in slot s at s * KINDS + r. */
  readonly odds: Float64Array;
  /** Hidden pawns by slot: who have moved far, who have moved, who have not. */
  private readonly far: number[] = [];
  private readonly moved: number[] = [];
  private readonly still: number[] = [];
  /** Hidden ranks, each as often as it is hidden: who cannot move, and who can, but for who has moved far. */
  private readonly rooted: number[];
  private readonly mobile: number[];

  /** @param known Ranks and 1 by slot, 0 for hidden ones. */
  constructor(
    { rules, sides }: Position,
    side: number,
    private readonly known: Uint8Array,
    private readonly prior: ArrayLike<number> = new Uint8Array(known.length).fill(1),
    private readonly bold: ArrayLike<number> = new Uint8Array(KINDS).fill(1),
  ) {
    const { alive, moved, movedFar } = sides[side];
    const counts = [...rules.army];
    for (let slot = 0; slot < known.length; slot++) {
      if (known[slot]) counts[known[slot] - 1]--;
      else if (alive[slot]) (movedFar[slot] ? this.far : moved[slot] ? this.moved : this.still).push(slot);
    }
    counts[SCOUT] -= this.far.length;
    const hidden = counts.flatMap((count, rank) => Array<number>(Math.max(0, count)).fill(rank));
    // The Throne comes first, so it is there if any is.
    this.rooted = hidden.filter((rank) => !isMobile(rank)).slice(0, this.still.length);
    this.mobile = hidden.filter(isMobile);
    if (this.mobile.length === 0) this.mobile.push(SCOUT);
    this.odds = this.chances();
  }

  /** Ranks and 1 by slot, in so many ways in which they may be; each slot has each rank about as often as is likely. */
  worlds(count: number, source: Source): Uint8Array[] {
    const { far, moved, still, rooted, mobile, prior } = this;
    shuffle(still, source);
    shuffle(mobile, source);
    const total = still.reduce((sum, slot) => sum + prior[slot], 0);
    const start = source.below(2 ** 20) / 2 ** 20;
    const turn = source.below(2 ** 20);
    return Array.from({ length: count }, (_, k) => {
      const world = this.known.slice();
      for (const slot of far) world[slot] = SCOUT + 1;
      let left = ((k + start) / count) * total;
      let at = 0;
      if (rooted[0] === THRONE) while (at < still.length - 1 && (left -= prior[still[at]]) >= 0) at++;
      // Those that cannot move first, from another slot on each time.
      const order = [...still.slice(at), ...still.slice(0, at)];
      const first = rooted[0] === THRONE ? [order.shift()!] : [];
      const cut = order.length === 0 ? 0 : (turn + k * Math.max(1, rooted.length - 1)) % order.length;
      const slots = [...first, ...order.slice(cut), ...order.slice(0, cut)];
      for (const [i, rank] of rooted.entries()) world[slots[i]] = rank + 1;
      const free = mobile.map((_, i) => mobile[(i + k) % mobile.length]);
      for (const slot of moved) {
        const [rank] = free.splice(
          pickWeighted(
            free.map((each) => this.bold[each]),
            source,
          ),
          1,
        );
        world[slot] = (rank ?? SCOUT) + 1;
      }
      let next = 0;
      for (const slot of still)
        if (world[slot] === 0) world[slot] = (free.length ? free[next++ % free.length] : SCOUT) + 1;
      return world;
    });
  }

  private chances(): Float64Array {
    const { far, moved, still, rooted, mobile, prior } = this;
    const odds = new Float64Array(this.known.length * KINDS);
    for (const [slot, code] of this.known.entries()) if (code) odds[slot * KINDS + code - 1] = 1;
    for (const slot of far) odds[slot * KINDS + SCOUT] = 1;
    const total = still.reduce((sum, slot) => sum + prior[slot], 0);
    const weight = mobile.reduce((sum, rank) => sum + this.bold[rank], 0);
    // How likely each pawn of a rank is to be one that has moved.
    const gone = RANKS.map((_, rank) => Math.min(1, (moved.length * this.bold[rank]) / weight));
    const stay = mobile.reduce((sum, rank) => sum + 1 - gone[rank], 0) || 1;
    const traps = rooted.filter((rank) => rank === TRAP).length;
    for (const slot of still) {
      const throne = rooted[0] === THRONE ? prior[slot] / total : 0;
      const others = still.length - Number(rooted[0] === THRONE);
      const trap = others === 0 ? 0 : ((1 - throne) * traps) / others;
      odds[slot * KINDS + THRONE] = throne;
      odds[slot * KINDS + TRAP] = trap;
      for (const rank of mobile) odds[slot * KINDS + rank] += ((1 - throne - trap) * (1 - gone[rank])) / stay;
    }
    for (const rank of mobile) for (const slot of moved) odds[slot * KINDS + rank] += gone[rank] / moved.length;
    return odds;
  }
}
