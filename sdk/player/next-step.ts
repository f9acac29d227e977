import type { GameModule } from "../games/module.js";
import { otherSeat, playerInTurn } from "../protocol/sides.js";
import { Status } from "../protocol/status.js";
import { isOpen, type MatchView } from "./match-view.js";

/** Step that a match waits for. */
export interface NextStep {
  /** What is to be done: `reveal` is an action that needs no new move, `replay` is left when the match is over. */
  action: "fund" | "join" | "act" | "reveal" | "timeout" | "replay";
  /** Player who is to take it; undefined if anyone may. */
  player?: string;
  /** Time until which it can be taken, in seconds since 1970; undefined if at any time. */
  until?: bigint;
}

/**
 * Returns the step that a match waits for; undefined for a foreign game, whose moves nobody here knows.
 * @param now Time in seconds since 1970.
 */
export function nextStep(view: MatchView, game: GameModule | undefined, now: bigint): NextStep | undefined {
  const { status, player1, player2, deadline: until } = view;
  if (!game) return undefined;
  if (!isOpen(view)) return { action: "replay" };
  if (until < now) return { player: winnerOfTimeout(view), action: "timeout" };
  if (status === Status.Created) return { player: player1, action: "fund", until };
  if (status < Status.AllJoined) return { player: player2, action: "join", until };
  return { player: playerInTurn(view), action: isReveal(game) ? "reveal" : "act", until };
}

/** Returns whether a step is for a player to take: nobody else can take it, or it is open to anyone. */
export function isFor(
  { player, action }: NextStep,
  viewer: string | undefined,
  { player1 }: Pick<MatchView, "player1">,
): boolean {
  if (viewer === undefined) return false;
  return player === viewer || (player === undefined && !(action === "join" && player1 === viewer));
}

/** Returns whether a player who is in turn has only to reveal. */
function isReveal({ moves }: GameModule): boolean {
  return moves.pendingCommitments !== undefined && moves.later === undefined;
}

/** Returns the player who gets its stake back, or the pot, when an open match is ended after its deadline. */
function winnerOfTimeout({ status, turn, player1, player2 }: MatchView): string {
  return status === Status.AllJoined ? playerInTurn({ turn: otherSeat(turn), player1, player2 }) : player1;
}
