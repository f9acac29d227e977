import { slotAt, type Position } from "./position.js";
import { isMobile, SCOUT } from "./ranks.js";
import { ContractError } from "./contract-error.js";
import { NEIGHBOURS, TILES, WIDTH } from "./tiles.js";

/** Move, as from * 256 + to. */
export type Move = number;

/** Value that is used instead of a move if the player has no legal move. */
export const STUCK: Move = 0xffff;
/** Value that is used instead of a move if the side does not move. */
export const NONE: Move = 0;

/**
 * Returns the move between two tiles.
 * @example
 * ```ts
 * import { moveOf, readMove } from "duello/games/warmancer";
 *
 * moveOf(51, 67) === readMove("d4-d5"); // => true
 * ```
 */
export function moveOf(from: number, to: number): Move {
  return from * TILES + to;
}

/**
 * Returns the two tiles of a move.
 * @example
 * ```ts
 * import { readMove, tileName, tilesOfMove } from "duello/games/warmancer";
 *
 * tilesOfMove(readMove("d4-d5")).map(tileName); // => ["d4", "d5"]
 * ```
 */
export function tilesOfMove(move: Move): [from: number, to: number] {
  return [move >> 8, move & 0xff];
}

/**
 * Checks a move of a side as the contract does.
 * @param known Codes of ranks (rank + 1) by slot; a pawn with 0 may move like any rank that can move.
 * @returns Slot of the pawn that moves.
 * @throws ContractError for an illegal move.
 */
export function checkMove(position: Position, side: number, from: number, to: number, known: Uint8Array): number {
  const { at, open } = position;
  const slot = slotAt(at[from], side);
  if (!(slot >= 0)) throw new ContractError("NoOwnPawn", { from });
  if (!open[to]) throw new ContractError("Impassable", { to });
  if (slotAt(at[to], side) >= 0) throw new ContractError("OwnPawnThere", { to });
  const step = stepBetween(from, to);
  if (step === 0) throw new ContractError("NotInLine", { from, to });
  const rank = known[slot] - 1;
  if (rank >= 0 && !isMobile(rank)) throw new ContractError("RankCannotMove", { slot, rank });
  if (from + step === to) return slot;
  if (rank >= 0 && rank !== SCOUT) throw new ContractError("RankCannotMoveFar", { slot, rank });
  for (let tile = from + step; tile !== to; tile += step) {
    if (!open[tile] || at[tile]) throw new ContractError("Blocked", { from, to, tile });
  }
  return slot;
}

/**
 * Returns whether a move is longer than one tile.
 * @example
 * ```ts
 * import { isFar, readMove } from "duello/games/warmancer";
 *
 * isFar(readMove("d4-d5")); // => false
 * isFar(readMove("d4-d9")); // => true
 * ```
 */
export function isFar(move: Move): boolean {
  const [from, to] = tilesOfMove(move);
  return !NEIGHBOURS[from].includes(to);
}

/**
 * Returns all legal moves of a side; `known` as in `checkMove`.
 * @example
 * ```ts
 * import { legalMoves, moveText } from "duello/games/warmancer";
 *
 * for (const move of legalMoves(position, 0)) console.log(moveText(move)); // e.g. "d4-d5"
 * ```
 */
export function legalMoves({ at, open, sides }: Position, side: number, known = sides[side].ranks): Move[] {
  const { alive, tiles } = sides[side];
  const moves: Move[] = [];
  for (let slot = 0; slot < tiles.length; slot++) {
    const rank = known[slot] - 1;
    if (!alive[slot] || (rank >= 0 && !isMobile(rank))) continue;
    const from = tiles[slot];
    const reach = rank < 0 || rank === SCOUT ? WIDTH : 1;
    for (const beside of NEIGHBOURS[from]) {
      const step = beside - from;
      let to = beside;
      for (let far = 1; far <= reach && open[to] && slotAt(at[to], side) < 0; far++) {
        moves.push(moveOf(from, to));
        if (at[to] || !NEIGHBOURS[to].includes(to + step)) break;
        to += step;
      }
    }
  }
  return moves;
}

/** Returns whether a side has a pawn that might move, given the recorded ranks; a side without such a pawn loses. */
export function mightMove({ at, open, sides }: Position, side: number): boolean {
  const { alive, tiles, ranks } = sides[side];
  for (let slot = 0; slot < tiles.length; slot++) {
    if (!alive[slot] || (ranks[slot] && !isMobile(ranks[slot] - 1))) continue;
    for (const tile of NEIGHBOURS[tiles[slot]]) if (open[tile] && slotAt(at[tile], side) < 0) return true;
  }
  return false;
}

/** Returns the difference between a tile and the next tile on a straight path to another; 0 without such a path. */
function stepBetween(from: number, to: number): number {
  const sign = to > from ? 1 : -1;
  if (from % WIDTH === to % WIDTH) return sign * WIDTH;
  return from >> 4 === to >> 4 ? sign : 0;
}
