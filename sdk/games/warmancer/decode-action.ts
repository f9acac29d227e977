import { hexOf, numberAt, sized, WORD_BYTES } from "../../protocol/bytes.js";
import type { Hex } from "../../protocol/hex.js";
import { NO_STATE } from "../../protocol/commit-reveal.js";
import type { Move } from "./legal-moves.js";
import { decodePosition, positionLengthIn, type Position } from "./position.js";
import { decodeProof, decodeSetup, PROOF_BYTES, type Proof, type Setup } from "./setup.js";
import { Kind, MOVE_BYTES, RIDING } from "./state.js";

/** Action as encoded by its sender. */
export interface SentAction {
  /** Kind of the action, as in `Kind`. */
  kind: number;
  /** Position before the action. */
  position: Position;
  /** Moves that the action reveals, answers with, or makes openly. */
  moves: Move[];
  proofs: Proof[];
  /** Commitment to the move of the next turn; zero means Stuck. */
  next?: Hex;
  /** Setup that the action shows. */
  setup?: Setup;
}

/**
 * Number of bytes of the hash or salt before the moves of an action, and of the repeated answer after them, by kind.
 */
const AROUND: Readonly<Record<number, readonly [before: number, behind: number]>> = {
  [Kind.Answer]: [WORD_BYTES, 0],
  [Kind.Reveal]: [WORD_BYTES, MOVE_BYTES],
};

/**
 * Decodes an action that the contract has accepted.
 * @throws InputError for bytes that do not have the length of an action.
 */
export function decodeAction(data: Hex): SentAction {
  const bytes = sized(data, "data", 1, Infinity);
  const head = 1 + positionLengthIn(bytes.subarray(1));
  const position = decodePosition(bytes.subarray(1, head));
  const [first] = bytes;
  const kind = first % RIDING;
  const isShown = first >= RIDING || kind === Kind.Setup;
  const end = bytes.length - (isShown ? WORD_BYTES + position.sides[0].tiles.length : 0);
  const setup = isShown ? decodeSetup(bytes.subarray(Math.max(end, head))) : undefined;
  const sent = { kind, position, moves: [], proofs: [], setup };
  return kind === Kind.Concede || kind === Kind.Setup ? sent : { ...sent, ...partsOf(kind, bytes.subarray(head, end)) };
}

/** Decodes the contents of an action's body. */
function partsOf(kind: number, body: Uint8Array): Pick<SentAction, "moves" | "proofs" | "next"> {
  const around = AROUND[kind];
  const start = around ? around[0] + MOVE_BYTES + around[1] : 0;
  const count = Math.floor(Math.max(0, body.length - start) / PROOF_BYTES);
  const proofs = Array.from({ length: count }, (_, i) => {
    const from = start + i * PROOF_BYTES;
    return decodeProof(body.subarray(from, from + PROOF_BYTES));
  });
  const rest = body.subarray(start + count * PROOF_BYTES);
  const moves = around ? movesIn(body.subarray(around[0], around[0] + MOVE_BYTES)) : [];
  // Data of at least a word's length is a commitment: there are two moves at most.
  if (rest.length >= WORD_BYTES) return { moves, proofs, next: hexOf(rest.subarray(0, WORD_BYTES)) };
  return { moves: [...moves, ...movesIn(rest)], proofs };
}

function movesIn(bytes: Uint8Array): Move[] {
  const count = Math.floor(bytes.length / MOVE_BYTES);
  return Array.from({ length: count }, (_, i) => numberAt(bytes, i * MOVE_BYTES, MOVE_BYTES));
}

/** Returns whether an action contains, instead of a commitment, the declaration that its sender has no legal move. */
export function isStuck({ next }: SentAction): boolean {
  return next === NO_STATE;
}
