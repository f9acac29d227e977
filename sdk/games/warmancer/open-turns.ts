import { numberAt } from "../../protocol/bytes.js";
import { DRAW, type Action, type Next } from "./action.js";
import { TurnResolution, mark } from "./turn-resolution.js";
import { checkLength, goesOn, MOVE_BYTES } from "./match.js";
import { NONE, STUCK, type Move } from "./moves.js";
import { Phase } from "./position.js";
import { PROOF_BYTES } from "./setup.js";

/** A move in the open, where that is due. */
export function move(action: Action, body: Uint8Array): Next {
  const { position, side } = action;
  if (position.rules.sequential) return moveAlone(action, body);
  return position.mover === side + 1 ? moveFirst(action, body) : moveSecond(action, body);
}

/** The reply to Stuck: the same, or a move to show that there is one. */
export function reply(action: Action, body: Uint8Array): Next {
  checkLength(body, MOVE_BYTES, MOVE_BYTES);
  const own = numberAt(body, 0, MOVE_BYTES);
  if (own === STUCK) return action.result(DRAW);
  action.judge(own);
  mark(action.position, action.side, own);
  return action.result(Number(action.seat));
}

/** Casual: the first of both moves of a turn. */
function moveFirst(action: Action, body: Uint8Array): Next {
  const { position, side, other } = action;
  checkLength(body, MOVE_BYTES, MOVE_BYTES);
  const move = numberAt(body, 0, MOVE_BYTES);
  if (move === STUCK) return action.stuck();
  action.judge(move);
  position.phase = Phase.Move;
  position.moves[side] = move;
  return goesOn(other, position);
}

/** Casual: the second of both moves, which makes the turn, and the first of the next one. */
function moveSecond(action: Action, body: Uint8Array): Next {
  const { position, side } = action;
  checkLength(body, MOVE_BYTES, 2 * MOVE_BYTES);
  const move = numberAt(body, 0, MOVE_BYTES);
  if (move === STUCK) return action.result(position.mover);
  action.judge(move);
  const moves = withMove(position.moves, side, move);
  const end = action.resolve(new TurnResolution(position, moves));
  if (end !== undefined) return end;
  position.mover = side + 1;
  return moveFirst(action, body.subarray(MOVE_BYTES));
}

/** Sequential: the only move of a turn. */
export function moveAlone(action: Action, body: Uint8Array): Next {
  const { position, player, side, other } = action;
  checkLength(body, MOVE_BYTES, PROOF_BYTES + MOVE_BYTES);
  const proofs = body.length - MOVE_BYTES;
  const move = numberAt(body, proofs, MOVE_BYTES);
  if (move === STUCK) {
    checkLength(body, MOVE_BYTES, MOVE_BYTES);
    return action.stuck();
  }
  action.judge(move);
  mark(position, side, move);
  const turn = new TurnResolution(position, withMove([NONE, NONE], side, move));
  checkLength(turn.takeProofs(player, side, body.subarray(0, proofs)), 0, 0);
  if (turn.due(1 - side).length > 0) return action.awaitProofs(turn);
  const end = action.resolve(turn);
  if (end !== undefined) return end;
  position.mover = Number(other);
  position.phase = Phase.Move;
  return goesOn(other, position);
}

function withMove(moves: readonly [Move, Move], side: number, move: Move): [Move, Move] {
  return side === 0 ? [move, moves[1]] : [moves[0], move];
}
