import { numberAt } from "../../protocol/bytes.js";
import { otherSide, playerOf } from "../../protocol/sides.js";
import { DRAW, type Action, type Next } from "./action.js";
import { TurnResolution, markMoved } from "./turn-resolution.js";
import { checkLength, goesOn, MOVE_BYTES } from "./state.js";
import { NONE, STUCK, type Move } from "./legal-moves.js";
import { Phase } from "./position.js";
import { PROOF_BYTES } from "./setup.js";

/** Takes an open move, with any further data that the mode requires. */
export function move(action: Action, body: Uint8Array): Next {
  const { position, side } = action;
  if (position.rules.sequential) return moveAlone(action, body);
  return position.mover === playerOf(side) ? moveFirst(action, body) : moveSecond(action, body);
}

/** Takes the reply to Stuck: also Stuck, which is a draw, or a legal move, which wins. */
export function reply(action: Action, body: Uint8Array): Next {
  checkLength(body, MOVE_BYTES, MOVE_BYTES);
  const own = numberAt(body, 0, MOVE_BYTES);
  if (own === STUCK) return action.result(DRAW);
  action.checkMove(own);
  markMoved(action.position, action.side, own);
  return action.result(Number(action.seat));
}

/** Takes the first of the two moves of a casual turn. */
function moveFirst(action: Action, body: Uint8Array): Next {
  const { position, side, otherSeat } = action;
  checkLength(body, MOVE_BYTES, MOVE_BYTES);
  const move = numberAt(body, 0, MOVE_BYTES);
  if (move === STUCK) return action.stuck();
  action.checkMove(move);
  position.phase = Phase.Move;
  position.moves[side] = move;
  return goesOn(otherSeat, position);
}

/** Takes the second of the two moves of a casual turn, which resolves it, and the first move of the next turn. */
function moveSecond(action: Action, body: Uint8Array): Next {
  const { position, side } = action;
  checkLength(body, MOVE_BYTES, 2 * MOVE_BYTES);
  const move = numberAt(body, 0, MOVE_BYTES);
  if (move === STUCK) return action.result(position.mover);
  action.checkMove(move);
  const moves = withMove(position.moves, side, move);
  const end = action.resolve(new TurnResolution(position, moves));
  if (end !== undefined) return end;
  position.mover = playerOf(side);
  return moveFirst(action, body.subarray(MOVE_BYTES));
}

/** Takes the only move of a sequential turn. */
export function moveAlone(action: Action, body: Uint8Array): Next {
  const { position, player, side, otherSeat } = action;
  checkLength(body, MOVE_BYTES, PROOF_BYTES + MOVE_BYTES);
  const proofs = body.length - MOVE_BYTES;
  const move = numberAt(body, proofs, MOVE_BYTES);
  if (move === STUCK) {
    checkLength(body, MOVE_BYTES, MOVE_BYTES);
    return action.stuck();
  }
  action.checkMove(move);
  markMoved(position, side, move);
  const turn = new TurnResolution(position, withMove([NONE, NONE], side, move));
  checkLength(turn.takeProofs(player, side, body.subarray(0, proofs)), 0, 0);
  if (turn.mustProve(otherSide(side))) return action.awaitProofs(turn);
  const end = action.resolve(turn);
  if (end !== undefined) return end;
  position.mover = Number(otherSeat);
  position.phase = Phase.Move;
  return goesOn(otherSeat, position);
}

/** Returns moves with a side's move replaced. */
function withMove(moves: readonly [Move, Move], side: number, move: Move): [Move, Move] {
  return side === 0 ? [move, moves[1]] : [moves[0], move];
}
