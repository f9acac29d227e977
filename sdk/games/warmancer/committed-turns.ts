import { hexOf, numberAt, WORD_BYTES } from "../../protocol/bytes.js";
import { NO_STATE, commitmentOf } from "../../protocol/commit-reveal.js";
import { otherSide, playerOf } from "../../protocol/sides.js";
import { type Action, type Next } from "./action.js";
import { TurnResolution, markMoved } from "./turn-resolution.js";
import { checkLength, goesOn, MOVE_BYTES } from "./state.js";
import { STUCK } from "./legal-moves.js";
import { moveAlone } from "./open-turns.js";
import { ContractError } from "./contract-error.js";

/** Takes the answer to a commitment. */
export function answer(action: Action, body: Uint8Array): Next {
  checkLength(body, WORD_BYTES + MOVE_BYTES, WORD_BYTES + MOVE_BYTES);
  const [commitment, answer] = [body.subarray(0, WORD_BYTES), body.subarray(WORD_BYTES)].map(hexOf);
  const move = numberAt(body, WORD_BYTES, MOVE_BYTES);
  if (commitment === NO_STATE) throw new ContractError("ZeroCommitment");
  action.check(commitment);
  if (move !== STUCK) action.checkMove(move);
  return goesOn(action.otherSeat, action.position, { commitment, answer });
}

/**
 * Takes the reveal of a move, which resolves the turn unless the other player must prove ranks. The commitment for the
 * next turn follows.
 */
export function reveal(action: Action, body: Uint8Array): Next {
  const { position, player, side, seat } = action;
  checkLength(body, WORD_BYTES + 2 * MOVE_BYTES);
  const [at, end] = [WORD_BYTES + MOVE_BYTES, WORD_BYTES + 2 * MOVE_BYTES];
  const parts = [body.subarray(0, WORD_BYTES), body.subarray(WORD_BYTES, at), body.subarray(at, end)];
  const [salt, move, answered] = parts.map(hexOf);
  if (salt === NO_STATE) throw new ContractError("ZeroSalt");
  action.check(commitmentOf(action.match.chainId, action.match.game, player, move, salt), answered);
  const other = otherSide(side);
  const [own, others] = [WORD_BYTES, at].map((from) => numberAt(body, from, MOVE_BYTES));
  action.checkMove(own);
  markMoved(position, side, own);
  if (others === STUCK) return action.result(Number(seat));
  markMoved(position, other, others);
  const turn = new TurnResolution(position, side === 0 ? [own, others] : [others, own]);
  const next = turn.takeProofs(player, side, body.subarray(end));
  if (!turn.mustProve(other)) return action.resolve(turn) ?? action.commit(next);
  checkLength(next, 0, 0);
  return action.awaitProofs(turn);
}

/** Takes the proofs of the player who is not the mover, which end the turn. The next commitment or move follows. */
export function prove(action: Action, body: Uint8Array): Next {
  const { position, player, side } = action;
  const turn = new TurnResolution(position, position.moves);
  turn.recall(otherSide(side), position.proved);
  const rest = turn.takeProofs(player, side, body);
  const end = action.resolve(turn);
  if (end !== undefined) return end;
  position.mover = playerOf(side);
  return position.rules.sequential ? moveAlone(action, rest) : action.commit(rest);
}
