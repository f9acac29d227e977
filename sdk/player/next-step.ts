import type { GameModule } from "../games/module.js";
import { awaitedSeat } from "../protocol/sides.js";
import { isOpen, Seat, Status } from "../protocol/status.js";
import { isLate, type MatchView } from "./match-view.js";

/** Next step of a match. */
export interface NextStep {
  /** Kind of the step. `reveal` is an action without a new move. `replay` is the only step once the match is over. */
  action: "fund" | "join" | "act" | "reveal" | "timeout" | "replay";
  /** Player who must take the step; undefined if anyone may. */
  player?: string;
  /** Last time for the step, in seconds since 1970; undefined if there is no limit. */
  until?: bigint;
}

/**
 * Returns the step that a match waits for; undefined for a foreign game, whose rules are unknown.
 * @param now Time in seconds since 1970.
 * @example
 * ```ts
 * import { nextStep, stockGame } from "duello";
 *
 * nextStep(view, stockGame("tic-tac-toe"), 0n); // => { player: alice, action: "act", until: view.deadline }
 * nextStep(view, stockGame("tic-tac-toe"), view.deadline + 1n); // => { player: bob, action: "timeout" }
 * ```
 */
export function nextStep(view: MatchView, game: GameModule | undefined, now: bigint): NextStep | undefined {
  const { status, player1, player2, deadline: until } = view;
  if (!game) return undefined;
  if (!isOpen(view)) return { action: "replay" };
  if (isLate(view, now)) return { player: winnerOfTimeout(view), action: "timeout" };
  const seat = awaitedSeat(view);
  const player = seat === Seat.One ? player1 : player2;
  if (status < Status.AllJoined) return { player, action: status === Status.Created ? "fund" : "join", until };
  return { player, action: isReveal(game) ? "reveal" : "act", until };
}

/**
 * Returns whether a viewer may take a step, either as the only player who may or because anyone may.
 * @example
 * ```ts
 * import { isFor } from "duello";
 *
 * isFor({ action: "act", player: alice }, alice, view); // => true
 * isFor({ action: "act", player: alice }, bob, view); // => false
 * ```
 */
export function isFor(
  { player, action }: NextStep,
  viewer: string | undefined,
  { player1 }: Pick<MatchView, "player1">,
): boolean {
  if (viewer === undefined) return false;
  return player === viewer || (player === undefined && !(action === "join" && player1 === viewer));
}

/** Returns whether the player in turn only has to reveal. */
function isReveal({ moves }: GameModule): boolean {
  return moves.pendingCommitments !== undefined && moves.later === undefined;
}

/** Returns the player who gets the stake back, or the pot, when an open match ends after its deadline. */
function winnerOfTimeout({ turn, player1, player2 }: MatchView): string | undefined {
  return turn === Seat.One ? player2 : player1;
}
