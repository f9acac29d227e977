import { isMobile, RANKS, THRONE, TRAP } from "./ranks.js";
import { ContractError } from "./contract-error.js";

/** Part of a mode that decides which armies are allowed. */
export interface ArmyRules {
  /** Pawns by rank. */
  readonly army: readonly number[];
  /** Budget for buying pawns; 0 for exactly that army. */
  readonly budget: number;
}

/** Maximum number of pawns of a rank, other than Throne and Trap, that can be bought. */
const MAX_BOUGHT = 8;

/**
 * Returns the maximum number of pawns of a rank in an army.
 * @example
 * ```ts
 * import { decodeMode, maxOf } from "duello/games/warmancer";
 *
 * maxOf(decodeMode("0x"), 2); // => 8
 * ```
 */
export function maxOf({ army, budget }: ArmyRules, rank: number): number {
  if (budget === 0 || rank === TRAP) return army[rank];
  return rank === THRONE ? 1 : MAX_BOUGHT;
}

/**
 * Returns the price of an army, given as pawns by rank.
 * @example
 * ```ts
 * import { BOARDS, priceOf } from "duello/games/warmancer";
 *
 * priceOf(BOARDS.quick.army); // => 17
 * ```
 */
export function priceOf(army: readonly number[]): number {
  return army.reduce((sum, count, rank) => sum + count * RANKS[rank].price, 0);
}

/** Returns whether an army has a pawn that can move. */
function canMove(army: readonly number[]): boolean {
  return army.some((count, rank) => count > 0 && isMobile(rank));
}

/**
 * Checks ranks by slot.
 * @throws ContractError for ranks that do not exist or do not form an army.
 * @example
 * ```ts
 * import { checkRanks, decodeMode, readSetup } from "duello/games/warmancer";
 *
 * const mode = decodeMode("0x");
 * checkRanks(mode, readSetup(["X".repeat(40)])); // throws ContractError: …
 * ```
 */
export function checkRanks(armyRules: ArmyRules, ranks: ArrayLike<number>): void {
  const counts = RANKS.map(() => 0);
  for (let slot = 0; slot < ranks.length; slot++) {
    const rank = ranks[slot];
    if (counts[rank] === undefined) throw new ContractError("UnknownRank", { slot, rank });
    counts[rank]++;
  }
  checkCounts(armyRules, counts);
}

/**
 * Checks an army, given as pawns by rank.
 * @throws ContractError for an army that is not allowed.
 */
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
