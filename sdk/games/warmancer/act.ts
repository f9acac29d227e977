import { hexOf, sized } from "../../protocol/bytes.js";
import type { Hex } from "../../protocol/hex.js";
import { NO_STATE } from "../../protocol/seal.js";
import { Seat, Status } from "../../protocol/status.js";
import { Deed, DRAW, WORD_BYTES, type Next } from "./deed.js";
import { checkLength, Kind, MOVE_BYTES, RIDING, type Match, type Outcome, type State } from "./match.js";
import { move, reply } from "./open-turns.js";
import { Phase, positionLength, type Position } from "./position.js";
import { Refusal } from "./refusal.js";
import { answer, open, prove } from "./sealed-turns.js";

/** The least that says how long a position is. */
const HEAD = 59;

/** The kind of action that is due of a seat in a position. */
export function dueKind({ phase, mover }: Position, seat: bigint): number {
  if (phase === Phase.Seal) return Kind.Seal;
  if (phase === Phase.Round) return mover === Number(seat) ? Kind.Open : Kind.Answer;
  if (phase >= Phase.Won) return Kind.Setup;
  return phase === Phase.Prove ? Kind.Prove : Kind.Move;
}

/**
 * A seat acts. The state given is not changed.
 * @throws Refusal as the contract does, and its arena if it is not the seat's turn.
 */
export function act(match: Match, state: State, seat: bigint, action: Hex): Outcome {
  const { matchId, players } = match;
  if (state.turn === Seat.None) {
    const status = [Status.Draw, Status.P1Win, Status.P2Win][Number(state.winner)];
    throw new Refusal("WrongStatus", { matchId, status });
  }
  if (seat !== state.turn) {
    const [player, caller] = [state.turn, seat].map((each) => players[Number(each) - 1]);
    throw new Refusal("NotYourTurn", { matchId, player, caller });
  }
  const bytes = sized(action, "action", 0, Infinity);
  checkLength(bytes, 1);
  const head = 1 + (bytes.length <= HEAD ? HEAD : positionLength(bytes[HEAD]));
  checkLength(bytes, head);
  return take(new Deed(match, state, seat, bytes.subarray(1, head)), bytes, head);
}

/** Takes an action whose body starts behind its head. */
function take(deed: Deed, action: Uint8Array, head: number): Outcome {
  const [first] = action;
  const [kind, rides] = [first % RIDING, first >= RIDING];
  const setupBytes = WORD_BYTES + deed.position.sides[0].tiles.length;
  let end = action.length;
  if (rides || kind === Kind.Setup) {
    if (rides && kind === Kind.Setup) throw new Refusal("SetupNotDue");
    checkLength(action, head + setupBytes, rides ? undefined : head + setupBytes);
    end -= setupBytes;
  }
  const next = carryOut(deed, kind, action.subarray(head, end));
  if (typeof next !== "number" && rides) throw new Refusal("SetupNotDue");
  const outcome = typeof next === "number" ? deed.conclude(next, action.subarray(end)) : next;
  return { ...outcome, logs: deed.logs };
}

function carryOut(deed: Deed, kind: number, body: Uint8Array): Next {
  const { position, seat } = deed;
  const due = dueKind(position, seat);
  if (kind === Kind.Concede && due !== Kind.Setup && !position.rules.casual) return concede(deed, due, body);
  if (kind !== due) throw new Refusal("NotDue", { kind, due });
  if (kind === Kind.Answer) return answer(deed, body);
  if (kind === Kind.Open) return open(deed, body);
  deed.check(NO_STATE);
  if (kind === Kind.Seal) return deed.seal(body);
  if (kind === Kind.Prove) return prove(deed, body);
  if (kind === Kind.Move) return position.phase === Phase.Reply ? reply(deed, body) : move(deed, body);
  return position.phase === Phase.Won ? Number(seat) : DRAW;
}

/** Gives the game up, but not before the other has shown its setup. */
function concede(deed: Deed, due: number, body: Uint8Array): Next {
  const sealed = due === Kind.Answer || due === Kind.Open;
  const length = due === Kind.Open ? WORD_BYTES + MOVE_BYTES : due === Kind.Answer ? WORD_BYTES : 0;
  checkLength(body, length, length);
  const [seal, answer] = [body.subarray(0, WORD_BYTES), body.subarray(WORD_BYTES)].map(hexOf);
  if (sealed) deed.check(seal, due === Kind.Open ? answer : undefined);
  else deed.check(NO_STATE);
  return Number(deed.other);
}
