/** Rank of a pawn. */
export interface Rank {
  readonly name: string;
  /** Price of a pawn of the rank, if armies are bought. */
  readonly price: number;
  readonly moves: "no" | "step" | "line";
}

/** All ranks, by number. */
export const RANKS: readonly Rank[] = [
  { name: "Throne", price: 0, moves: "no" },
  { name: "Assassin", price: 6, moves: "step" },
  { name: "Scout", price: 3, moves: "line" },
  { name: "Seer", price: 4, moves: "step" },
  { name: "Grunt", price: 4, moves: "step" },
  { name: "Knight", price: 5, moves: "step" },
  { name: "Wraith", price: 6, moves: "step" },
  { name: "Reaver", price: 7, moves: "step" },
  { name: "Herald", price: 8, moves: "step" },
  { name: "Champion", price: 9, moves: "step" },
  { name: "Warlord", price: 10, moves: "step" },
  { name: "Trap", price: 4, moves: "no" },
];

export const THRONE = 0;
export const ASSASSIN = 1;
export const SCOUT = 2;
const SEER = 3;
export const WARLORD = 10;
export const TRAP = 11;

/**
 * Returns whether pawns of a rank can move.
 * @example
 * ```ts
 * import { isMobile } from "duello/games/warmancer";
 *
 * isMobile(0); // => false
 * isMobile(2); // => true
 * ```
 */
export function isMobile(rank: number): boolean {
  return rank !== THRONE && rank !== TRAP;
}

/**
 * Decides a battle between two ranks: 1 if the first wins, 2 if the second wins, 0 if both die.
 * @example
 * ```ts
 * import { battle } from "duello/games/warmancer";
 *
 * battle(10, 9); // => 1
 * battle(1, 10); // => 1
 * ```
 */
export function battle(rank1: number, rank2: number): number {
  if (rank1 === rank2) return 0;
  return beatsHigher(rank1, rank2) || (rank1 > rank2 && !beatsHigher(rank2, rank1)) ? 1 : 2;
}

/** Returns whether a rank wins although it is the lower rank. */
function beatsHigher(rank: number, other: number): boolean {
  return (rank === SEER && other === TRAP) || (rank === ASSASSIN && other === WARLORD);
}
