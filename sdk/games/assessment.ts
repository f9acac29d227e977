import type { Moves, Turn } from "./moves.js";
import { Seat } from "../protocol/status.js";

/**
 * Finds a good move for a turn, whereas `Moves.suggest` finds any legal one. It reads the match so far and the public
 * history, and asks a `Strategy`, which does not read the chain.
 */
export type Chooser<V = unknown> = Moves<V>["suggest"];

/** First move that the computer would play in a match, and its prospects. */
export interface Assessment<V = unknown> {
  move: V;
  /** Probability from 0 to 1 that the computer wins; a draw counts half. */
  winProbability: number;
}

/**
 * Returns the computer's strategy for a game: the strategy of its module, otherwise any legal move.
 * @throws like the strategy.
 * @example
 * ```ts
 * import { stockGame, strategyOf } from "duello";
 *
 * const choose = strategyOf(stockGame("mini-games"));
 * const first = await practice.turn();
 * if (first) await practice.play(await choose(first, practice.secretStoreOf(first.seat)));
 * ```
 */
export function strategyOf({ bot, moves }: { bot?: { strategy: Chooser }; moves: Moves }): Chooser {
  return bot?.strategy ?? ((turn, secretStore) => moves.suggest(turn, secretStore));
}

/** Returns the address of the opponent; undefined if nobody has taken the other seat yet. */
export function opponentOf({ seat, record }: Turn): string | undefined {
  return seat === Seat.One ? record?.player2 : record?.player1;
}

/** Returns player 1's stake as a fraction of both stakes; a half if nothing is staked, or no terms are known. */
export function partOf({ record }: Turn): number {
  const { stake1, stake2 } = record?.terms ?? { stake1: 0n, stake2: 0n };
  return stake1 + stake2 === 0n ? 1 / 2 : Number(stake1) / Number(stake1 + stake2);
}
