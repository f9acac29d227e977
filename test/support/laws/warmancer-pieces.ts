import { concat, dataLength, dataSlice, keccak256, toNumber, ZeroHash } from "ethers";
import { Phase, positionLength, type Position } from "../../../sdk/games/warmancer/position.js";
import { Kind, RIDING } from "../../../sdk/games/warmancer/state.js";
import { encodeSetup, PROOF_BYTES } from "../../../sdk/games/warmancer/setup.js";
import type { Hex } from "../../../sdk/protocol/hex.js";
import type { EngineDriver } from "../warmancer.js";
import type { Piece } from "../../../sdk/laws/game.js";
import { flipped, patched, withByte } from "../../../sdk/laws/bytes.js";
import { fitsCommitment } from "../../../sdk/laws/committed.js";

const WORD = 32;
const MOVE_BYTES = 2;
const REVEAL_BYTES = WORD + 2 * MOVE_BYTES;
/** A move from an empty tile. */
const NO_MOVE = "0xff00";

/** Returns the piece that creates a match. */
export function creation({ match, sent }: EngineDriver): Piece {
  const { seat, data } = sent[0];
  if (match.mode.casual) return { seat, data, wrong: { "no army": flipped(data), "no rank": withByte(data, 0, 12) } };
  return {
    seat,
    data,
    fits: (length) => fitsCommitment(length),
    wrong: { "a root of zero": patched(data, 0, ZeroHash) },
  };
}

/** Returns the piece that joins a match. */
export function joining({ match, sent, setups }: EngineDriver): Piece {
  const { seat, data } = sent[1];
  const own = match.mode.casual ? setups[0].ranks.length : WORD;
  const wrong = { "what player 1 did not bring": withByte(data, 0, toNumber(dataSlice(data, 0, 1)) ^ 1) };
  if (match.mode.casual) return { seat, data, wrong: { ...wrong, "no army": flipped(data) } };
  const fits = (length: number) => fitsCommitment(length, own);
  return { seat, data, fits, wrong: { ...wrong, "a root of zero": patched(data, own, ZeroHash) } };
}

/** Sends the next action, and returns its piece. */
export function action(driver: EngineDriver): Piece {
  const { position, setups, side } = driver;
  const { seat, data } = driver.next();
  const first = toNumber(dataSlice(data, 0, 1));
  const [kind, head] = [first % RIDING, 1 + positionLength(setups[0].ranks.length)];
  const wrong = {
    "another position": withByte(data, head - 1, toNumber(dataSlice(data, head - 1, head)) ^ 1),
    "another kind of action": withByte(data, 0, (first + 1) % (Kind.Setup + 1)),
    ...faults(driver, kind, data, head),
  };
  const riding = concat([withByte(data, 0, first | RIDING), encodeSetup(setups[side])]);
  if (driver.refusal(riding)) Object.assign(wrong, { "a setup that is not due": riding });
  const due = kind === Kind.Reveal || kind === Kind.Prove ? driver.fight(kind).due.length : 0;
  const min = head + due * PROOF_BYTES + (kind === Kind.Reveal ? REVEAL_BYTES : 0);
  driver.send(seat, data);
  const fits = first < RIDING ? fitting(position, driver, { kind, head, min }) : undefined;
  return { seat, data, wrong, ...(fits ? { fits } : {}) };
}

/**
 * Returns a test of the lengths at which an action is accepted, if there are several. `min` is the length without the
 * data after a turn.
 */
function fitting(
  { rules, phase, mover }: Position,
  after: EngineDriver,
  { kind, head, min }: Record<"kind" | "head" | "min", number>,
): Piece["fits"] {
  const ended = after.over || after.position.phase >= Phase.Won;
  const second = phase === Phase.Move && rules.casual && !rules.sequential && after.sent.at(-1)!.seat !== BigInt(mover);
  if (kind === Kind.Commit) return (length) => fitsCommitment(length, head);
  if (kind === Kind.Move && second && ended) return (length) => length >= head + 2 && length <= head + 4;
  if (kind !== Kind.Reveal && kind !== Kind.Prove) return undefined;
  if (ended) return (length) => length >= min;
  const waits = after.position.phase === Phase.Prove;
  return waits || rules.sequential ? undefined : (length) => fitsCommitment(length, min);
}

/** Returns faulty versions of an action, by the fault in its body. */
function faults(driver: EngineDriver, kind: number, data: Hex, head: number): Record<string, Hex> {
  const at = (offset: number, bytes: Hex) => patched(data, head + offset, bytes);
  const other = keccak256(data);
  if (kind === Kind.Answer) {
    return {
      "another commitment": at(0, other),
      "no commitment": at(0, ZeroHash),
      "a move of nobody": at(WORD, NO_MOVE),
    };
  }
  if (kind === Kind.Setup) return { "another secret": at(0, other), "other ranks": flipped(data) };
  if (kind === Kind.Move && dataLength(data) === head + MOVE_BYTES) return { "a move of nobody": at(0, NO_MOVE) };
  if (kind !== Kind.Reveal && kind !== Kind.Prove) return {};
  const proofs = kind === Kind.Reveal ? REVEAL_BYTES : 0;
  const wrong: Record<string, Hex> = {};
  if (kind === Kind.Reveal) {
    Object.assign(wrong, { "a salt of zero": at(0, ZeroHash), "another salt": at(0, other) });
    Object.assign(wrong, { "another move": at(WORD, NO_MOVE), "another answer": at(WORD + MOVE_BYTES, NO_MOVE) });
  }
  if (driver.fight(kind).due.length > 0) {
    Object.assign(wrong, { "another slot's proof": at(proofs, "0x3f"), "a rank there is not": at(proofs + 1, "0x0c") });
    Object.assign(wrong, { "another leaf": at(proofs + 2, other), "another path": at(proofs + 2 + WORD, other) });
  }
  return wrong;
}
