import { hexOf, numberAt, WORD_BYTES } from "../../protocol/bytes.js";
import { NO_STATE, commitmentOf } from "../../protocol/commit-reveal.js";
import type { Action, Next } from "./action.js";
import { TurnResolution, mark } from "./turn-resolution.js";
import { checkLength, goesOn, MOVE_BYTES } from "./match.js";
import { STUCK } from "./moves.js";
import { moveAlone } from "./open-turns.js";
import { ContractError } from "./contract-error.js";

/** The other than the committer shows its move. */
export function answer(action: Action, body: Uint8Array): Next {
  checkLength(body, WORD_BYTES + MOVE_BYTES, WORD_BYTES + MOVE_BYTES);
  const [commitment, answer] = [body.subarray(0, WORD_BYTES), body.subarray(WORD_BYTES)].map(hexOf);
  const move = numberAt(body, WORD_BYTES, MOVE_BYTES);
  if (commitment === NO_STATE) throw new ContractError("ZeroCommitment");
  action.check(commitment);
  if (move !== STUCK) action.judge(move);
  return goesOn(action.other, action.position, { commitment, answer });
}

/** The committer shows its move and proves what it must; it commits on, unless the other must prove, too. */
export function reveal(action: Action, body: Uint8Array): Next {
  const { position, player, side, seat } = action;
  checkLength(body, WORD_BYTES + 2 * MOVE_BYTES);
  const [at, end] = [WORD_BYTES + MOVE_BYTES, WORD_BYTES + 2 * MOVE_BYTES];
  const parts = [body.subarray(0, WORD_BYTES), body.subarray(WORD_BYTES, at), body.subarray(at, end)];
  const [salt, move, answered] = parts.map(hexOf);
  if (salt === NO_STATE) throw new ContractError("ZeroSalt");
  action.check(commitmentOf(action.match.chainId, action.match.game, player, move, salt), answered);
  const [own, others] = [WORD_BYTES, at].map((from) => numberAt(body, from, MOVE_BYTES));
  action.judge(own);
  mark(position, side, own);
  if (others === STUCK) return action.result(Number(seat));
  mark(position, 1 - side, others);
  const turn = new TurnResolution(position, side === 0 ? [own, others] : [others, own]);
  const next = turn.takeProofs(player, side, body.subarray(end));
  if (turn.due(1 - side).length === 0) return action.resolve(turn) ?? action.commit(next);
  checkLength(next, 0, 0);
  return action.awaitProofs(turn);
}

/** What the other than the mover proves ends the turn; it makes the next. */
export function prove(action: Action, body: Uint8Array): Next {
  const { position, player, side } = action;
  const turn = new TurnResolution(position, position.moves);
  turn.recall(1 - side, position.proved);
  const rest = turn.takeProofs(player, side, body);
  const end = action.resolve(turn);
  if (end !== undefined) return end;
  position.mover = side + 1;
  return position.rules.sequential ? moveAlone(action, rest) : action.commit(rest);
}
