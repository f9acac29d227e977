import { numberAt } from "../../protocol/bytes.js";
import { DRAW, type Deed, type Next } from "./deed.js";
import { Encounter, mark } from "./encounter.js";
import { checkLength, goesOn, MOVE_BYTES } from "./match.js";
import { NONE, STUCK, type Move } from "./moves.js";
import { Phase } from "./position.js";
import { PROOF_BYTES } from "./setup.js";

/** A move in the open, where that is due. */
export function move(deed: Deed, body: Uint8Array): Next {
  const { position, side } = deed;
  if (position.rules.sequential) return moveAlone(deed, body);
  return position.mover === side + 1 ? moveFirst(deed, body) : moveSecond(deed, body);
}

/** The reply to Stuck: the same, or a move to show that there is one. */
export function reply(deed: Deed, body: Uint8Array): Next {
  checkLength(body, MOVE_BYTES, MOVE_BYTES);
  const own = numberAt(body, 0, MOVE_BYTES);
  if (own === STUCK) return deed.result(DRAW);
  deed.judge(own);
  mark(deed.position, deed.side, own);
  return deed.result(Number(deed.seat));
}

/** Casual: the first of both moves of a turn. */
function moveFirst(deed: Deed, body: Uint8Array): Next {
  const { position, side, other } = deed;
  checkLength(body, MOVE_BYTES, MOVE_BYTES);
  const move = numberAt(body, 0, MOVE_BYTES);
  if (move === STUCK) return deed.stuck();
  deed.judge(move);
  position.phase = Phase.Move;
  position.moves[side] = move;
  return goesOn(other, position);
}

/** Casual: the second of both moves, which makes the turn, and the first of the next one. */
function moveSecond(deed: Deed, body: Uint8Array): Next {
  const { position, side } = deed;
  checkLength(body, MOVE_BYTES, 2 * MOVE_BYTES);
  const move = numberAt(body, 0, MOVE_BYTES);
  if (move === STUCK) return deed.result(position.mover);
  deed.judge(move);
  const moves = withMove(position.moves, side, move);
  const end = deed.resolve(new Encounter(position, moves));
  if (end !== undefined) return end;
  position.mover = side + 1;
  return moveFirst(deed, body.subarray(MOVE_BYTES));
}

/** Sequential: the only move of a turn. */
export function moveAlone(deed: Deed, body: Uint8Array): Next {
  const { position, player, side, other } = deed;
  checkLength(body, MOVE_BYTES, PROOF_BYTES + MOVE_BYTES);
  const proofs = body.length - MOVE_BYTES;
  const move = numberAt(body, proofs, MOVE_BYTES);
  if (move === STUCK) {
    checkLength(body, MOVE_BYTES, MOVE_BYTES);
    return deed.stuck();
  }
  deed.judge(move);
  mark(position, side, move);
  const turn = new Encounter(position, withMove([NONE, NONE], side, move));
  checkLength(turn.takeProofs(player, side, body.subarray(0, proofs)), 0, 0);
  if (turn.due(1 - side).length > 0) return deed.awaitProofs(turn);
  const end = deed.resolve(turn);
  if (end !== undefined) return end;
  position.mover = Number(other);
  position.phase = Phase.Move;
  return goesOn(other, position);
}

function withMove(moves: readonly [Move, Move], side: number, move: Move): [Move, Move] {
  return side === 0 ? [move, moves[1]] : [moves[0], move];
}
