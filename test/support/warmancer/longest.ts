import { INCREMENT_DIVISOR } from "../../../sdk/protocol/terms.js";
import { MAX_TURNS, type Mode } from "../../../sdk/games/warmancer/mode.js";
import { tilesOf } from "../../../sdk/games/warmancer/tiles.js";

/** Actions after a draw, in which both players show their setups. */
const SETUPS = 2;

/** Returns the maximum number of actions of a match, from joining to its end. */
export function maxActions({ casual, sequential, maxTurns, setup1 }: Mode): number {
  const turns = maxTurns || MAX_TURNS;
  const setups = casual ? 0 : SETUPS;
  // In open games every action moves in another turn; after the last, proofs or a reply to Stuck can be required.
  if (casual || sequential) return turns + 1 + setups;
  // A turn with proofs by its own player costs a pawn, and the game continues only while both sides have one left.
  const proofs = Math.min(turns, 2 * tilesOf(setup1).length - 1);
  return 1 + 2 * turns + proofs + setups;
}

/**
 * Returns the maximum length of a match in seconds from joining: both players use up their clocks, then the increment
 * of each action. If the last player stays silent, anybody can end the match a second later.
 * @param clock Seconds, as in the terms.
 */
export function longestMatch(mode: Mode, clock: bigint): bigint {
  // A player cannot use the increment of its last action.
  return 2n * clock + BigInt(maxActions(mode) - 2) * (clock / INCREMENT_DIVISOR);
}
