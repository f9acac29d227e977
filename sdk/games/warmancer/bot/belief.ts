import type { Position } from "../position.js";
import { isMobile, RANKS, SCOUT, THRONE, TRAP } from "../ranks.js";
import { pickWeighted, shuffle, type RandomSource } from "../../../bots/source.js";

/** Number of ranks. */
export const KINDS = RANKS.length;

/** Bounds of a bisection: at the maximum of haste, all pawns have moved with near certainty. */
const MAX_HASTE = 30;
const HALVINGS = 40;
const MIN = 1e-12;

/** Weights that make some ranks likelier than by counting alone; omitted weights are equal. */
export interface Habits {
  /** Weight of the Throne in a slot that has not moved, by slot. */
  throne?: ArrayLike<number>;
  /** Weight of a pawn among those that have moved, by rank. */
  moves?: ArrayLike<number>;
}

/**
 * Belief about a side's hidden pawns: its army less the known ranks, weighted by which pawns have moved and moved far.
 * If armies are bought, the mode's own army is the basis; if it does not fit, ranks are as frequent as in that army.
 */
export class Belief {
  /** Probabilities of ranks by slot: of rank r in slot s at s * KINDS + r. */
  readonly odds: Float64Array;
  /** Slots of hidden pawns: those that have moved far, those that have moved, and those that have not. */
  private readonly far: number[] = [];
  private readonly moved: number[] = [];
  private readonly still: number[] = [];
  /**
   * Hidden ranks, once for each hidden pawn: first of pawns that cannot move, beginning with a Throne; then of those
   * that can, except for `far`.
   */
  private readonly rooted: number[];
  private readonly mobile: number[];
  private readonly throne: ArrayLike<number>;
  private readonly moves: ArrayLike<number>;

  /** @param known Codes of ranks (rank + 1) by slot, 0 for hidden ones. */
  constructor(
    { rules, sides }: Position,
    side: number,
    private readonly known: Uint8Array,
    habits: Habits = {},
  ) {
    this.throne = habits.throne ?? new Uint8Array(known.length).fill(1);
    this.moves = habits.moves ?? new Uint8Array(KINDS).fill(1);
    const { alive, moved, movedFar } = sides[side];
    const counts = [...rules.army];
    for (let slot = 0; slot < known.length; slot++) {
      if (known[slot]) counts[known[slot] - 1]--;
      else if (alive[slot]) (movedFar[slot] ? this.far : moved[slot] ? this.moved : this.still).push(slot);
    }
    counts[SCOUT] -= this.far.length;
    const hidden = counts.flatMap((count, rank) => Array<number>(Math.max(0, count)).fill(rank));
    this.rooted = hidden.filter((rank) => !isMobile(rank)).slice(0, this.still.length);
    this.mobile = hidden.filter(isMobile);
    // A bought army may have more mobile pawns than the mode's own.
    if (this.mobile.length === 0) this.mobile.push(SCOUT);
    this.odds = this.chances();
  }

  /**
   * Samples worlds: possible codes of ranks (rank + 1) by slot. The share of worlds with the Throne in a slot is close
   * to the slot's probability.
   */
  worlds(count: number, source: RandomSource): Uint8Array[] {
    const start = source.below(2 ** 20) / 2 ** 20;
    return Array.from({ length: count }, (_, k) => this.world((k + start) / count, source));
  }

  /** @param place Number from 0 to below 1 that determines the slot of the Throne. */
  private world(place: number, source: RandomSource): Uint8Array {
    const world = this.known.slice();
    for (const slot of this.far) world[slot] = SCOUT + 1;
    const still = shuffle([...this.still], source);
    if (this.hidesThrone()) still.unshift(...still.splice(still.indexOf(this.throneAt(place)), 1));
    for (const rank of this.rooted) world[still.shift()!] = rank + 1;
    const mobile = shuffle([...this.mobile], source);
    for (const slot of shuffle([...this.moved], source)) {
      const weights = mobile.map((rank) => this.moves[rank]);
      const [rank = SCOUT] = mobile.splice(pickWeighted(weights, source), 1);
      world[slot] = rank + 1;
    }
    for (const slot of still) world[slot] = (mobile.pop() ?? SCOUT) + 1;
    return world;
  }

  private hidesThrone(): boolean {
    return this.rooted[0] === THRONE;
  }

  private throneAt(place: number): number {
    const { still, throne } = this;
    let rest = place * still.reduce((sum, slot) => sum + throne[slot], 0);
    return still.find((slot) => (rest -= throne[slot]) < 0) ?? still[0];
  }

  private chances(): Float64Array {
    const { known, far, moved, still, rooted, mobile, throne } = this;
    const odds = new Float64Array(known.length * KINDS);
    for (const [slot, code] of known.entries()) if (code) odds[slot * KINDS + code - 1] = 1;
    for (const slot of far) odds[slot * KINDS + SCOUT] = 1;
    const gone = this.chancesToHaveMoved();
    const [left, stay] = [gone, gone.map((chance) => 1 - chance)].map((chances) => {
      return mobile.reduce((sum, rank) => sum + chances[rank], 0);
    });
    for (const rank of mobile) for (const slot of moved) odds[slot * KINDS + rank] += gone[rank] / left;
    const total = still.reduce((sum, slot) => sum + throne[slot], 0);
    const [traps, others] = [rooted, still].map(({ length }) => length - Number(this.hidesThrone()));
    for (const slot of still) {
      const chance = this.hidesThrone() ? throne[slot] / total : 0;
      const trap = others === 0 ? 0 : ((1 - chance) * traps) / others;
      odds[slot * KINDS + THRONE] = chance;
      odds[slot * KINDS + TRAP] = trap;
      for (const rank of mobile) odds[slot * KINDS + rank] += ((1 - chance - trap) * (1 - gone[rank])) / stay;
    }
    return odds;
  }

  /** Returns by rank the probability that a hidden pawn has moved, so that the expected number equals the real one. */
  private chancesToHaveMoved(): number[] {
    const { moved, mobile, moves } = this;
    const chancesAt = (haste: number) => RANKS.map((_, rank) => 1 - Math.max(MIN, Math.exp(-haste * moves[rank])));
    const countAt = (haste: number) => {
      const chances = chancesAt(haste);
      return mobile.reduce((sum, rank) => sum + chances[rank], 0);
    };
    let [low, high] = [0, MAX_HASTE];
    for (let i = 0; i < HALVINGS; i++) {
      const middle = (low + high) / 2;
      if (countAt(middle) < moved.length) low = middle;
      else high = middle;
    }
    return chancesAt(high);
  }
}
