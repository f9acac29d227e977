import type { MatchRecord } from "../chain/record.js";
import { isPlayerSeat, otherSeat } from "../protocol/sides.js";
import { Status, statusText } from "../protocol/status.js";
import { timeText } from "../protocol/text.js";
import type { MatchView } from "./match-view.js";

/** Percentage of the clock below which the remaining time is short. */
const SHORT = 20n;

/**
 * Returns whether a player's remaining time is short for a clock; both in seconds.
 * @example
 * ```ts
 * import { isShort } from "duello";
 *
 * isShort(60n, 3600n); // => true
 * isShort(1800n, 3600n); // => false
 * ```
 */
export function isShort(left: bigint, clock: bigint): boolean {
  return left < (clock * SHORT) / 100n;
}

/**
 * Names a match's game and mode, e.g. `mini-games coin`; omits a mode called default.
 * @example
 * ```ts
 * import { gameText } from "duello";
 *
 * gameText({ game: "mini-games", trust: "stock", mode: "coin", terms }); // => "mini-games coin"
 * ```
 */
export function gameText({ game, trust, mode, terms }: Pick<MatchView, "game" | "trust" | "mode" | "terms">): string {
  if (game === undefined) return `${terms.game} (not stock)`;
  const name = trust === "listed" ? `${game} (of your own list)` : game;
  if (mode === undefined) return `${name} (mode not stock)`;
  return mode === "default" ? name : `${name} ${mode}`;
}

/** Warning about a game that this project has not audited. */
export const NOT_AUDITED = "of your own list, not audited here";

/**
 * Describes the status of a match.
 * @param record Events of the match, which show how an offer ended.
 * @example
 * ```ts
 * import { stateText, Status } from "duello";
 *
 * stateText({ status: Status.Draw }); // => "draw"
 * stateText({ status: Status.P1Canceled }, record); // => "offer withdrawn or lapsed"
 * ```
 */
export function stateText(
  { status }: Pick<MatchView, "status">,
  record?: Pick<MatchRecord, "declinedBy" | "channel">,
): string {
  const code = record?.channel?.shown?.code;
  if (code?.forfeit) {
    return `player ${code.winner} won: the game refused an action of player ${otherSeat(code.winner)}`;
  }
  if (status !== Status.P1Canceled || record === undefined) return statusText[String(status)];
  return record.declinedBy === undefined ? "offer withdrawn or lapsed" : "offer declined";
}

/**
 * Describes what a firm offer means for both players; empty for any other match.
 * @example
 * ```ts
 * import { firmLines, Seat, Status } from "duello";
 *
 * firmLines({ ...view, status: Status.P1Deposited, turn: Seat.None }).length; // => 1
 * firmLines(view); // => []
 * ```
 */
export function firmLines({ status, firm, player2, deadline }: MatchView): string[] {
  if (!firm || status >= Status.AllDeposited) return [];
  const bound = `Player 1 cannot cancel this firm offer before it lapses at ${timeText(deadline)}.`;
  if (player2 === undefined) return [`${bound} Anyone may fund the other seat, then join.`];
  const joining = status === Status.P1Deposited ? "may join in one step" : "may join once player 1 has funded";
  return [`${bound} Player 2 ${joining}, or decline, which refunds player 1 at once.`];
}

/**
 * Returns the remaining seconds of the player in turn if time is short; undefined if it is not short, or has run out.
 * @param now Time in seconds since 1970.
 * @example
 * ```ts
 * import { shortClockOf } from "duello";
 *
 * shortClockOf(view, view.deadline - 60n); // => 60n
 * shortClockOf(view, view.deadline - 1800n); // => undefined
 * ```
 */
export function shortClockOf(
  { turn, deadline, terms }: Pick<MatchView, "turn" | "deadline" | "terms">,
  now: bigint,
): bigint | undefined {
  if (!isPlayerSeat(turn)) return undefined;
  const left = deadline - now;
  return left >= 0n && isShort(left, terms.clock) ? left : undefined;
}
