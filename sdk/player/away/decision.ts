import { restSeconds } from "../../chain/finality.js";
import type { MatchRecord } from "../../chain/record.js";
import type { OpenTurn } from "../../games/moves.js";
import type { Hex } from "../../protocol/hex.js";
import { otherSeat } from "../../protocol/sides.js";
import { Seat, Status } from "../../protocol/status.js";
import { POST_BEFORE, type Agreements } from "./agreements.js";
import { isPosted, type ChainPlay } from "./chain-play.js";
import type { ChainState } from "./chain-view.js";
import type { Due, Phase } from "./due.js";

/** Position of the game, at the table or on chain. */
export interface Position {
  /** Record as if all actions had been on chain since joining. */
  virtual: MatchRecord;
  nonce: number;
  historyHash: Hex;
  turn: bigint;
  word: Hex;
  /** Seat of the winner; undefined while the game goes on. */
  winner?: bigint;
}

/** Knowledge of a seat about its match, from which follows what is due. */
export interface Situation {
  /** The own seat, as in `Seat`. */
  seat: bigint;
  state: ChainState;
  /** Course on chain since joining; undefined before that is final. */
  play?: ChainPlay;
  /** Newest position that is known. */
  position?: Position;
  /** Position that a player has posted, if it is known. */
  posted?: Position;
  agreements: Agreements;
  /** True if a transport has told all that was sent before, or there are none. */
  isRead: boolean;
  /** True if the seat signs, and its log had entries when it was opened: it is believed to hold all that was signed. */
  isLogWhole: boolean;
  /** True if a post was composed that may be mined at any time. */
  isPosting: boolean;
  /** True if the other player was waited for long enough. */
  isOutOfPatience: boolean;
  /** Nonce of the newest state that the seat can post; undefined if it is only that after joining. */
  postable?: number;
  /** Returns whether no action of the own seat in a position was composed before. */
  isOpen(position: Position): boolean;
  /** Returns the turn of the own seat in a position. */
  turnIn(position: Position): OpenTurn;
}

/** Returns where a match is played. @param play Course on chain since joining; undefined before that is final. */
export function phaseOf({ status }: ChainState, play?: ChainPlay): Phase {
  if (status !== Status.AllJoined) return "over";
  if (!play) return "joining";
  if (!play.table) return "onChain";
  return isPosted(play) ? "posted" : "away";
}

/** Returns what is due. */
export function dueIn(situation: Situation): Due {
  const { seat, state, play, agreements } = situation;
  const { status, turn, deadline, time } = state;
  if (status !== Status.AllJoined) return { type: "over" };
  if (time > deadline) return turn === seat ? waitFor("opponent") : { type: "timeout" };
  if (!play) return waitFor("finality");
  const isShort = isUrgent(seat, state);
  const { otherNow: half, ownNow: own } = agreements;
  // Where no relay tells what was sent before, only the own victory for good is signed.
  const maySign = half && (situation.isRead || agreements.isOwn(half) || agreements.isVictory(half));
  if (half && maySign && !isShort && agreements.isReady(half)) {
    const instead = turn === Seat.Either && !own ? dueAway(situation) : undefined;
    return { type: "settle", agreed: half, ...(instead?.type === "act" && { turn: instead.turn }) };
  }
  if (own && !isShort && agreements.leavesTime(own)) return waitFor("settlement", own.until);
  if (turn === otherSeat(seat)) return waitFor("opponent");
  if (turn === seat) return dueOnChain(situation);
  return dueAway(situation);
}

/** Returns what is due while the own clock runs on chain. */
export function dueOnChain(situation: Situation): Due {
  const { seat, state, play, position, posted, isRead, isLogWhole, postable } = situation;
  const { table } = play!;
  if (!table) return position ? { type: "actOnChain", ...turnToThinkOf(situation, position) } : waitFor("transcript");
  // Neither can be taken back, and a log that was lost may have had something newer.
  const isKnown = isRead || (isLogWhole && posted !== undefined);
  if (!isKnown && !isUrgent(seat, state)) return waitFor("relay", state.deadline - restOf(state));
  if (postable !== undefined && postable > table.nonce) return { type: "supersede" };
  return { type: "accept", ...(posted && turnToThinkOf(situation, posted)) };
}

/** Returns what is due at the table. */
function dueAway({ seat, state, position, agreements, isRead, isPosting, isOutOfPatience, turnIn }: Situation): Due {
  if (!position) return waitFor("transcript");
  const { nonce, historyHash, turn, winner } = position;
  const own = agreements.ownNow;
  const isEnding = state.time >= state.deadline - POST_BEFORE;
  const mustPost = isEnding || isOutOfPatience;
  if (winner !== undefined && winner !== seat && !own) {
    if (isRead) return { type: "agree", proposal: { winner, nonce, historyHash } };
    if (winner !== Seat.None || !mustPost) return waitFor("relay");
  }
  if (isPosting) return { type: "post" };
  // Where no relay tells what was sent before, nothing is signed at the table: the own turn is waited for like another.
  if (turn === seat && (isRead || !mustPost)) {
    if (!own) return isRead ? { type: "act", turn: turnIn(position) } : waitFor("relay");
    if (!isEnding) return waitFor("settlement", own.until);
  }
  if (mustPost) return { type: "post" };
  if (own) return waitFor("settlement", own.until);
  return waitFor(winner === undefined ? "opponent" : "agreement");
}

/** Returns the turn in a position, if it is the own one and its action was not composed before. */
function turnToThinkOf({ seat, isOpen, turnIn }: Situation, position: Position): { turn?: OpenTurn } {
  return position.turn === seat && isOpen(position) ? { turn: turnIn(position) } : {};
}

/** Returns whether the own clock runs on chain, and is nearly over. */
export function isUrgent(seat: bigint, state: ChainState): boolean {
  return state.turn === seat && state.time >= state.deadline - restOf(state);
}

/** Returns the seconds before the own deadline on chain at which nothing is waited for any longer. */
function restOf({ record }: ChainState): bigint {
  return BigInt(Math.floor(restSeconds(record.terms.clock)));
}

function waitFor(what: Extract<Due, { type: "wait" }>["for"], until?: bigint): Due {
  return { type: "wait", for: what, ...(until !== undefined && { until }) };
}
