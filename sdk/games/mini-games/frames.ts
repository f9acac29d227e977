import type { RoundFrame } from "../one-round.js";
import type { Played } from "./engine.js";
import { kinds } from "./mode.js";

/** Frame of a game: there is one, in which both hands turn at once. */
export interface MiniGameFrame extends RoundFrame {
  /** Title of the game that was played, e.g. `undercut`. */
  readonly game: string;
  /** Moves, or rolls of rolled dice, of player 1 and player 2. */
  readonly values: readonly [number, number];
  /** Side on which the coin fell, `heads` or `tails`; null where none is flipped. */
  readonly coin: string | null;
  /** True for a tie, which a rule may give to player 1. */
  readonly tie: boolean;
  /** Player who has won, 1 or 2; 0 for a draw. */
  readonly winner: number;
}

/** Makes what the frame of a game shows. */
export function frameOf([{ kind, values, flip, result, winner }]: readonly Played[]): object {
  const { title, names } = kinds[kind];
  const coin = flip === null ? null : names![flip];
  const shown: Omit<MiniGameFrame, keyof RoundFrame> = { game: title, values, coin, tie: result === 0, winner };
  return shown;
}
