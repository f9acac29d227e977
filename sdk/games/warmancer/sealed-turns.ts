import { hexOf, numberAt } from "../../protocol/bytes.js";
import { NO_STATE, sealOf } from "../../protocol/seal.js";
import { WORD_BYTES, type Deed, type Next } from "./deed.js";
import { Encounter, mark } from "./encounter.js";
import { checkLength, goesOn, MOVE_BYTES } from "./match.js";
import { STUCK } from "./moves.js";
import { moveAlone } from "./open-turns.js";
import { Refusal } from "./refusal.js";

/** The other than the sealer shows its move. */
export function answer(deed: Deed, body: Uint8Array): Next {
  checkLength(body, WORD_BYTES + MOVE_BYTES, WORD_BYTES + MOVE_BYTES);
  const [seal, answer] = [body.subarray(0, WORD_BYTES), body.subarray(WORD_BYTES)].map(hexOf);
  const move = numberAt(body, WORD_BYTES, MOVE_BYTES);
  if (seal === NO_STATE) throw new Refusal("ZeroSeal");
  deed.check(seal);
  if (move !== STUCK) deed.judge(move);
  return goesOn(deed.other, deed.position, { seal, answer });
}

/** The sealer shows its move and proves what it must; it seals on, unless the other must prove, too. */
export function open(deed: Deed, body: Uint8Array): Next {
  const { position, player, side, seat } = deed;
  checkLength(body, WORD_BYTES + 2 * MOVE_BYTES);
  const [at, end] = [WORD_BYTES + MOVE_BYTES, WORD_BYTES + 2 * MOVE_BYTES];
  const parts = [body.subarray(0, WORD_BYTES), body.subarray(WORD_BYTES, at), body.subarray(at, end)];
  const [salt, move, answered] = parts.map(hexOf);
  if (salt === NO_STATE) throw new Refusal("ZeroSalt");
  deed.check(sealOf(deed.match.chainId, deed.match.game, player, move, salt), answered);
  const [own, others] = [WORD_BYTES, at].map((from) => numberAt(body, from, MOVE_BYTES));
  deed.judge(own);
  mark(position, side, own);
  if (others === STUCK) return deed.result(Number(seat));
  mark(position, 1 - side, others);
  const turn = new Encounter(position, side === 0 ? [own, others] : [others, own]);
  const next = turn.takeProofs(player, side, body.subarray(end));
  if (turn.due(1 - side).length === 0) return deed.resolve(turn) ?? deed.seal(next);
  checkLength(next, 0, 0);
  return deed.awaitProofs(turn);
}

/** What the other than the mover proves ends the turn; it makes the next. */
export function prove(deed: Deed, body: Uint8Array): Next {
  const { position, player, side } = deed;
  const turn = new Encounter(position, position.moves);
  turn.recall(1 - side, position.proved);
  const rest = turn.takeProofs(player, side, body);
  const end = deed.resolve(turn);
  if (end !== undefined) return end;
  position.mover = side + 1;
  return position.rules.sequential ? moveAlone(deed, rest) : deed.seal(rest);
}
