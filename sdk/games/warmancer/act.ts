import { hexOf, sized, WORD_BYTES } from "../../protocol/bytes.js";
import type { Hex } from "../../protocol/hex.js";
import { NO_STATE } from "../../protocol/commit-reveal.js";
import { statusFor } from "../../chain/settlement.js";
import { Seat } from "../../protocol/status.js";
import { sideOf } from "../../protocol/sides.js";
import { Action, DRAW, type Next } from "./action.js";
import { checkLength, Kind, MOVE_BYTES, RIDING, type Match, type Outcome, type State } from "./state.js";
import { move, reply } from "./open-turns.js";
import { Phase, positionLengthIn, type Position } from "./position.js";
import { ContractError } from "./contract-error.js";
import { answer, reveal, prove } from "./committed-turns.js";

/** Returns the kind of action that a seat must take next in a position. */
export function dueKind({ phase, mover }: Position, seat: bigint): number {
  if (phase === Phase.Commit) return Kind.Commit;
  if (phase === Phase.Round) return mover === Number(seat) ? Kind.Reveal : Kind.Answer;
  if (phase >= Phase.Won) return Kind.Setup;
  return phase === Phase.Prove ? Kind.Prove : Kind.Move;
}

/**
 * Carries out the action of a seat. The given state is not changed.
 * @throws ContractError if the contract would revert, or if the arena would because it is not the seat's turn.
 */
export function act(match: Match, state: State, seat: bigint, data: Hex): Outcome {
  const { matchId, players } = match;
  if (state.turn === Seat.None) {
    throw new ContractError("WrongStatus", { matchId, status: statusFor(state) });
  }
  if (seat !== state.turn) {
    const [player, caller] = [state.turn, seat].map((each) => players[sideOf(Number(each))]);
    throw new ContractError("NotYourTurn", { matchId, player, caller });
  }
  const bytes = sized(data, "data", 0, Infinity);
  checkLength(bytes, 1);
  const head = 1 + positionLengthIn(bytes.subarray(1));
  checkLength(bytes, head);
  return take(new Action(match, state, seat, bytes.subarray(1, head)), bytes, head);
}

/** Takes an action whose body starts at `head` and may be followed by a setup. */
function take(action: Action, data: Uint8Array, head: number): Outcome {
  const [first] = data;
  const [kind, rides] = [first % RIDING, first >= RIDING];
  const setupBytes = WORD_BYTES + action.position.sides[0].tiles.length;
  let end = data.length;
  if (rides || kind === Kind.Setup) {
    if (rides && kind === Kind.Setup) throw new ContractError("SetupNotDue");
    checkLength(data, head + setupBytes, rides ? undefined : head + setupBytes);
    end -= setupBytes;
  }
  const next = carryOut(action, kind, data.subarray(head, end));
  if (typeof next !== "number" && rides) throw new ContractError("SetupNotDue");
  const outcome = typeof next === "number" ? action.conclude(next, data.subarray(end)) : next;
  return { ...outcome, logs: action.logs };
}

/** Carries out the next action, or a concession. */
function carryOut(action: Action, kind: number, body: Uint8Array): Next {
  const { position, seat } = action;
  const due = dueKind(position, seat);
  if (kind === Kind.Concede && due !== Kind.Setup && !position.rules.casual) return concede(action, due, body);
  if (kind !== due) throw new ContractError("NotDue", { kind, due });
  if (kind === Kind.Answer) return answer(action, body);
  if (kind === Kind.Reveal) return reveal(action, body);
  action.check(NO_STATE);
  if (kind === Kind.Commit) return action.commit(body);
  if (kind === Kind.Prove) return prove(action, body);
  if (kind === Kind.Move) return position.phase === Phase.Reply ? reply(action, body) : move(action, body);
  return position.phase === Phase.Won ? Number(seat) : DRAW;
}

/** Concedes the game; the opponent wins once it has shown its setup. */
function concede(action: Action, due: number, body: Uint8Array): Next {
  const committed = due === Kind.Answer || due === Kind.Reveal;
  const length = due === Kind.Reveal ? WORD_BYTES + MOVE_BYTES : due === Kind.Answer ? WORD_BYTES : 0;
  checkLength(body, length, length);
  const [commitment, answer] = [body.subarray(0, WORD_BYTES), body.subarray(WORD_BYTES)].map(hexOf);
  if (committed) action.check(commitment, due === Kind.Reveal ? answer : undefined);
  else action.check(NO_STATE);
  return Number(action.otherSeat);
}
