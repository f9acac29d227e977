import type { GameModule } from "../games/module.js";
import { awaitedSeat, isPlayerSeat, otherSeat, playerInTurn } from "../protocol/sides.js";
import { Seat, Status } from "../protocol/status.js";
import { isLate, isOpen, type MatchView } from "./match-view.js";

/** State of an off-chain match, as far as the reader has seen it. */
export interface AwayStanding {
  /** Number of actions since joining. */
  nonce: number;
  /** Seat in turn; None once the game is over, or both players have agreed. */
  turn: bigint;
  /** Seat of the winner, None for a draw, once the game is over or a player agrees. */
  winner?: bigint;
  /** Seats of the players who agree to that result. */
  agreed: readonly bigint[];
  /** Proposals in this state by seat, which are not binding: the winner, or None for a draw. */
  proposed?: readonly { seat: bigint; winner: bigint }[];
}

/** Next step of a match. */
export interface NextStep {
  /**
   * Kind of the step. `reveal` is an action that needs no new move. `away` is for both players of an off-chain match
   * whose turn is unknown. `agree` and `settle` end a decided match. `replay` remains when the match is over.
   */
  action: "fund" | "join" | "act" | "away" | "agree" | "settle" | "reveal" | "timeout" | "replay";
  /** Player who must take it; undefined if anyone may, or both players. */
  player?: string;
  /** Time until which it can be taken, in seconds since 1970; undefined if at any time. */
  until?: bigint;
}

/**
 * Returns the step that a match waits for; undefined for a foreign game, whose rules are unknown.
 * @param now Time in seconds since 1970.
 * @param standing State of an off-chain match, if it is known.
 */
export function nextStep(
  view: MatchView,
  game: GameModule | undefined,
  now: bigint,
  standing?: AwayStanding,
): NextStep | undefined {
  const { status, player1, player2, deadline: until } = view;
  if (!game) return undefined;
  if (!isOpen(view)) return { action: "replay" };
  if (isLate(view, now)) return { player: winnerOfTimeout(view), action: "timeout" };
  const seat = awaitedSeat(view);
  if (seat === Seat.Either) return standing ? awayStep(view, standing) : { action: "away", until };
  const player = seat === Seat.One ? player1 : player2;
  if (status < Status.AllJoined) return { player, action: status === Status.Created ? "fund" : "join", until };
  return { player, action: isReveal(game) ? "reveal" : "act", until };
}

/** Returns the step that an off-chain match waits for. */
function awayStep(view: MatchView, { turn, winner = Seat.None, agreed }: AwayStanding): NextStep {
  const { deadline: until } = view;
  const playerIn = (seat: bigint) => playerInTurn({ ...view, turn: seat });
  if (isPlayerSeat(turn)) return { player: playerIn(turn), action: "act", until };
  const missing = [Seat.One, Seat.Two].filter((seat) => !agreed.includes(seat));
  if (missing.length === 0)
    return { player: winner === Seat.None ? undefined : playerIn(winner), action: "settle", until };
  // The winner signs when it sends the settlement.
  const asked = missing.length === 1 ? missing[0] : winner === Seat.None ? undefined : otherSeat(winner);
  if (asked !== undefined && asked === winner) return { player: playerIn(asked), action: "settle", until };
  return { player: asked === undefined ? undefined : playerIn(asked), action: "agree", until };
}

/** Returns whether a step is for a player to take: only that player may take it, or anyone may. */
export function isFor(
  { player, action }: NextStep,
  viewer: string | undefined,
  { player1, player2 }: Pick<MatchView, "player1" | "player2">,
): boolean {
  if (viewer === undefined) return false;
  const isAway = action === "away" || action === "agree" || action === "settle";
  if (isAway && player === undefined) return viewer === player1 || viewer === player2;
  return player === viewer || (player === undefined && !(action === "join" && player1 === viewer));
}

/** Returns whether the player in turn only has to reveal. */
function isReveal({ moves }: GameModule): boolean {
  return moves.pendingCommitments !== undefined && moves.later === undefined;
}

/**
 * Returns the player who gets its stake back, or the pot, when an open match is ended after its deadline; undefined if
 * both get their stakes back.
 */
function winnerOfTimeout({ turn, player1, player2 }: MatchView): string | undefined {
  if (turn === Seat.Either) return undefined;
  return turn === Seat.One ? player2 : player1;
}
