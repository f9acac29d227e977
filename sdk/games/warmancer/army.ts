import { isMobile, RANKS, THRONE, TRAP } from "./ranks.js";
import { ContractError } from "./contract-error.js";

/** What decides whether an army may be fielded. */
export interface ArmyRules {
  /** Pawns by rank. */
  readonly army: readonly number[];
  /** 0: exactly that army; else pawns are bought with it. */
  readonly budget: number;
}

/** The most pawns of a rank, other than Thrones and Traps, that can be bought. */
const MAX_BOUGHT = 8;

/** The pawns of a rank that a side may have, at most. */
export function maxOf({ army, budget }: ArmyRules, rank: number): number {
  if (budget === 0 || rank === TRAP) return army[rank];
  return rank === THRONE ? 1 : MAX_BOUGHT;
}

/** What an army costs; `army` has its pawns by rank. */
export function priceOf(army: readonly number[]): number {
  return army.reduce((sum, count, rank) => sum + count * RANKS[rank].price, 0);
}

/** Whether an army has a pawn that moves. */
function canMove(army: readonly number[]): boolean {
  return army.some((count, rank) => count > 0 && isMobile(rank));
}

/** Checks ranks by slot. @throws ContractError for ranks that do not exist or are no army. */
export function checkRanks(armyRules: ArmyRules, ranks: ArrayLike<number>): void {
  const counts = RANKS.map(() => 0);
  for (let slot = 0; slot < ranks.length; slot++) {
    const rank = ranks[slot];
    if (counts[rank] === undefined) throw new ContractError("UnknownRank", { slot, rank });
    counts[rank]++;
  }
  checkCounts(armyRules, counts);
}

/** Checks an army by rank. @throws ContractError for one that may not be fielded. */
export function checkCounts(armyRules: ArmyRules, counts: readonly number[]): void {
  for (const [rank, count] of counts.entries()) {
    const max = maxOf(armyRules, rank);
    const min = armyRules.budget === 0 || rank === THRONE ? max : 0;
    if (count < min || count > max) throw new ContractError("WrongArmy", { rank, count, min, max });
  }
  if (!canMove(counts)) throw new ContractError("NoPawnMoves");
  const price = priceOf(counts);
  if (armyRules.budget !== 0 && price > armyRules.budget)
    throw new ContractError("OverBudget", { price, budget: armyRules.budget });
}
