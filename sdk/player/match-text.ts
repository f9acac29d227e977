import type { MatchRecord } from "../chain/record.js";
import { isPlayerSeat } from "../protocol/sides.js";
import { Seat, Status, statusText } from "../protocol/status.js";
import { timeText } from "../protocol/text.js";
import type { MatchView } from "./match-view.js";
import type { AwayStanding } from "./next-step.js";

/** Percentage of the clock below which the time left is short. */
const SHORT = 20n;

/** Returns whether the time left to a player is short for a clock; both in seconds. */
export function isShort(left: bigint, clock: bigint): boolean {
  return left < (clock * SHORT) / 100n;
}

/** Names a match's game and its mode, e.g. `mini-games coin`; omits the mode called default. */
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
 * @param view The match; without a turn the text does not say where it is played.
 * @param record Events of the match, which determine how an offer has ended.
 */
export function stateText(
  { status, turn }: Pick<MatchView, "status"> & Partial<Pick<MatchView, "turn">>,
  record?: Pick<MatchRecord, "declinedBy">,
): string {
  if (turn === Seat.Either) return "in play away from the chain";
  if (status !== Status.P1Canceled || record === undefined) return statusText[String(status)];
  return record.declinedBy === undefined ? "offer withdrawn or lapsed" : "offer declined";
}

/** Describes what a firm offer means for both players; empty for any other match. */
export function firmLines({ status, firm, player2, deadline }: MatchView): string[] {
  if (!firm || status >= Status.AllDeposited) return [];
  const bound = `Player 1 cannot cancel this firm offer before it lapses at ${timeText(deadline)}.`;
  if (player2 === undefined) return [`${bound} Anyone may fund the other seat, then join.`];
  const joining = status === Status.P1Deposited ? "may join in one step" : "may join once player 1 has funded";
  return [`${bound} Player 2 ${joining}, or decline, which refunds player 1 at once.`];
}

/** Describes the state of an off-chain match: its nonce, the player it waits for, and proposals. */
export function standingText({ proposed = [], ...standing }: AwayStanding): string {
  const asks = proposed.map(({ seat, winner }) => {
    const what = winner === Seat.None ? "a draw" : `that player ${winner} has won`;
    return ` Player ${seat} proposes ${what}, which binds nobody.`;
  });
  return [stoodText(standing), ...asks].join("");
}

function stoodText({ nonce, turn, winner = Seat.None, agreed }: AwayStanding): string {
  const after = `After ${nonce} action${nonce === 1 ? "" : "s"} away from the chain`;
  if (turn !== Seat.None) return `${after} player ${turn} is in turn.`;
  const result = winner === Seat.None ? "it is a draw" : `player ${winner} has won`;
  if (agreed.length === 0) return `${after} ${result}: nobody has signed that yet.`;
  if (agreed.length === 1) return `${after} ${result}: player ${agreed[0]} has signed that, the other has not yet.`;
  return `${after} ${result}: both players have signed that, and anyone can settle it.`;
}

/**
 * Returns the remaining seconds of the player in turn if they are few; undefined if there is enough time, or none left.
 * @param now Time in seconds since 1970.
 */
export function shortClockOf(
  { turn, deadline, terms }: Pick<MatchView, "turn" | "deadline" | "terms">,
  now: bigint,
): bigint | undefined {
  if (!isPlayerSeat(turn)) return undefined;
  const left = deadline - now;
  return left >= 0n && isShort(left, terms.clock) ? left : undefined;
}
