import type { RoundFrame } from "../one-round.js";
import type { Played } from "./engine.js";
import { kinds } from "./mode.js";

/** The only frame of a game, which shows both hands at once. */
export interface MiniGameFrame extends RoundFrame {
  /** Title of the game that was played, e.g. `undercut`. */
  readonly game: string;
  /** Moves of player 1 and player 2, or their rolls if dice are rolled. */
  readonly values: readonly [number, number];
  /** Side on which the coin fell, `heads` or `tails`; null if no coin is flipped. */
  readonly coin: string | null;
  /** True for a tie, even if a rule makes player 1 its winner. */
  readonly tie: boolean;
  /** Player who has won, 1 or 2; 0 for a draw. */
  readonly winner: number;
}

/** Makes the content of a game's frame. */
export function frameOf([{ kind, values, flip, result, winner }]: readonly Played[]): object {
  const { title, names } = kinds[kind];
  const coin = flip === null ? null : names![flip];
  const shown: Omit<MiniGameFrame, keyof RoundFrame> = { game: title, values, coin, tie: result === 0, winner };
  return shown;
}
