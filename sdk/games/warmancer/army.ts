import { isMobile, RANKS, THRONE, TRAP } from "./ranks.js";
import { Refusal } from "./refusal.js";

/** What decides whether an army may be fielded. */
export interface Levy {
  /** Pawns by rank. */
  readonly army: readonly number[];
  /** 0: exactly that army; else pawns are bought with it. */
  readonly budget: number;
}

/** The most pawns of a rank, other than Thrones and Traps, that can be bought. */
const MOST_BOUGHT = 8;

/** The pawns of a rank that a side may have, at most. */
export function mostOf({ army, budget }: Levy, rank: number): number {
  if (budget === 0 || rank === TRAP) return army[rank];
  return rank === THRONE ? 1 : MOST_BOUGHT;
}

/** What an army costs; `army` has its pawns by rank. */
export function priceOf(army: readonly number[]): number {
  return army.reduce((sum, count, rank) => sum + count * RANKS[rank].price, 0);
}

/** Whether an army has a pawn that moves. */
function canMove(army: readonly number[]): boolean {
  return army.some((count, rank) => count > 0 && isMobile(rank));
}

/** Checks ranks by slot. @throws Refusal for ranks that do not exist or are no army. */
export function checkRanks(levy: Levy, ranks: ArrayLike<number>): void {
  const counts = RANKS.map(() => 0);
  for (let slot = 0; slot < ranks.length; slot++) {
    const rank = ranks[slot];
    if (counts[rank] === undefined) throw new Refusal("UnknownRank", { slot, rank });
    counts[rank]++;
  }
  checkCounts(levy, counts);
}

/** Checks an army by rank. @throws Refusal for one that may not be fielded. */
export function checkCounts(levy: Levy, counts: readonly number[]): void {
  for (const [rank, count] of counts.entries()) {
    const most = mostOf(levy, rank);
    const least = levy.budget === 0 || rank === THRONE ? most : 0;
    if (count < least || count > most) throw new Refusal("WrongArmy", { rank, count, least, most });
  }
  if (!canMove(counts)) throw new Refusal("NoPawnMoves");
  const price = priceOf(counts);
  if (levy.budget !== 0 && price > levy.budget) throw new Refusal("OverBudget", { price, budget: levy.budget });
}
