import type { Moves, Turn } from "./moves.js";
import { Seat } from "../protocol/status.js";

/**
 * Finds the words of a good move for a turn, as `Moves.suggest` finds those of any. What it may know is in the turn:
 * the match so far, and what the turn's history makes public. It asks a `Strategy`, which knows no chain.
 */
export type Chooser = Moves["suggest"];

/** What a program would bring to a match that it may join, and how it would fare. */
export interface Assessment {
  /** The words of its first move. */
  moveArgs: string[];
  /** How likely it wins, from 0 to 1, a draw by half. */
  winProbability: number;
}

/** How a program plays a game: as its module says, else with any move that may be played. */
export function strategyOf({ strategy, moves }: { strategy?: Chooser; moves: Moves }): Chooser {
  return strategy ?? ((turn, secretStore) => moves.suggest(turn, secretStore));
}

/** Who sits opposite; undefined if nobody does yet. */
export function opponentOf({ seat, record }: Turn): string | undefined {
  return seat === Seat.One ? record?.player2 : record?.player1;
}

/** What player 1 stakes, as a part of both stakes; a half where nothing is staked, or nothing is known. */
export function partOf({ record }: Turn): number {
  const { stake1, stake2 } = record?.terms ?? { stake1: 0n, stake2: 0n };
  return stake1 + stake2 === 0n ? 1 / 2 : Number(stake1) / Number(stake1 + stake2);
}
