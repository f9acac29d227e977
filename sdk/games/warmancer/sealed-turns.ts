import { dataSlice, toNumber } from "ethers";
import { NO_STATE, sealOf, type Hex } from "../../seal.js";
import { WORD_BYTES, type Deed, type Next } from "./deed.js";
import { Encounter, mark } from "./encounter.js";
import { checkLength, goesOn, MOVE_BYTES } from "./match.js";
import { STUCK } from "./moves.js";
import { moveAlone } from "./open-turns.js";
import { Refusal } from "./refusal.js";

/** The other than the sealer shows its move. */
export function answer(deed: Deed, body: Hex): Next {
  checkLength(body, WORD_BYTES + MOVE_BYTES, WORD_BYTES + MOVE_BYTES);
  const [seal, move] = [dataSlice(body, 0, WORD_BYTES), dataSlice(body, WORD_BYTES)];
  if (seal === NO_STATE) throw new Refusal("ZeroSeal");
  deed.check(seal);
  if (toNumber(move) !== STUCK) deed.judge(toNumber(move));
  return goesOn(deed.other, deed.position, { seal, answer: move });
}

/** The sealer shows its move and proves what it must; it seals on, unless the other must prove, too. */
export function open(deed: Deed, body: Hex): Next {
  const { position, player, side, seat } = deed;
  checkLength(body, WORD_BYTES + 2 * MOVE_BYTES);
  const [salt, rest] = [dataSlice(body, 0, WORD_BYTES), dataSlice(body, WORD_BYTES + 2 * MOVE_BYTES)];
  const [move, answered] = [0, MOVE_BYTES].map((at) => dataSlice(body, WORD_BYTES + at, WORD_BYTES + at + MOVE_BYTES));
  if (salt === NO_STATE) throw new Refusal("ZeroSalt");
  deed.check(sealOf(deed.match.chainId, deed.match.game, player, move, salt), answered);
  const [own, others] = [toNumber(move), toNumber(answered)];
  deed.judge(own);
  mark(position, side, own);
  if (others === STUCK) return deed.result(Number(seat));
  mark(position, 1 - side, others);
  const turn = new Encounter(position, side === 0 ? [own, others] : [others, own]);
  const next = turn.takeProofs(player, side, rest);
  if (turn.due(1 - side).length === 0) return deed.resolve(turn) ?? deed.seal(next);
  checkLength(next, 0, 0);
  return deed.awaitProofs(turn);
}

/** What the other than the mover proves ends the turn; it makes the next. */
export function prove(deed: Deed, body: Hex): Next {
  const { position, player, side } = deed;
  const turn = new Encounter(position, position.moves);
  turn.recall(1 - side, position.proved);
  const rest = turn.takeProofs(player, side, body);
  const end = deed.resolve(turn);
  if (end !== undefined) return end;
  position.mover = side + 1;
  return position.rules.sequential ? moveAlone(deed, rest) : deed.seal(rest);
}
