import { concat, dataLength, keccak256, ZeroHash } from "ethers";
import type { Hex } from "../protocol/hex.js";
import {
  MAX_NOTE_BYTES,
  encodeAnswer,
  encodeReveal,
  encodeCommitment,
  type Answer,
  type Reveal,
  type Commitment,
} from "../protocol/commit-reveal.js";
import { Seat } from "../protocol/status.js";
import { flipped } from "./bytes.js";
import type { Fraud, Piece, Script } from "./game.js";
import type { Random } from "./random.js";

const WORD = 32;
/** Length of an unexpected commitment with its note. */
const MAX_PADDING = WORD + MAX_NOTE_BYTES;

/**
 * Returns true if a length is that of `base` bytes and a commitment with its note.
 * @example
 * ```ts
 * import { fitsCommitment } from "duello/laws";
 *
 * fitsCommitment(32); // => true
 * fitsCommitment(31); // => false
 * ```
 */
export function fitsCommitment(length: number, base = 0): boolean {
  return length >= base + WORD && length <= base + WORD + MAX_NOTE_BYTES;
}

/**
 * Piece with the first commitment of a match, which follows `start`, e.g. the beginning of a game's reveal.
 * @example
 * ```ts
 * import { firstCommitment } from "duello/laws";
 *
 * const { data, wrong } = firstCommitment({ commitment: salt, note: "0x" });
 * data === salt; // => true
 * ```
 */
export function firstCommitment(committed: Commitment, start: Hex = "0x", wrong: Piece["wrong"] = {}): Piece {
  return {
    seat: Seat.One,
    data: concat([start, encodeCommitment(committed)]),
    fits: (length) => fitsCommitment(length, dataLength(start)),
    wrong: {
      "a commitment of zero": concat([start, encodeCommitment({ ...committed, commitment: ZeroHash })]),
      ...wrong,
    },
  };
}

/**
 * Player 2's answer; `wrong` maps the fault of each illegal move to the move.
 * @example
 * ```ts
 * import { answerPiece } from "duello/laws";
 * import { NO_STATE } from "duello";
 *
 * const answer = { round: 1, state: NO_STATE, commitment: salt, move: "0x02", salt: otherSalt };
 * const { wrong } = answerPiece(answer, { "a move above 2": "0x03" });
 * wrong["a move above 2"]; // => "0x0001…02"
 * ```
 */
export function answerPiece(answer: Answer, wrong: Record<string, Hex>): Piece {
  const other = (changes: Partial<Answer>) => encodeAnswer({ ...answer, ...changes });
  return {
    seat: Seat.Two,
    data: encodeAnswer(answer),
    wrong: {
      "a salt of zero": other({ salt: ZeroHash }),
      "round 0": other({ round: 0 }),
      "the next round": other({ round: answer.round + 1 }),
      "another state": other({ state: keccak256(answer.state) }),
      "another commitment": other({ commitment: keccak256(answer.commitment) }),
      "no commitment": other({ commitment: ZeroHash }),
      ...Object.fromEntries(Object.entries(wrong).map(([what, move]) => [what, other({ move })])),
    },
  };
}

/**
 * Player 1's reveal; `next` is the commitment for the following round, omitted in the last round.
 * @example
 * ```ts
 * import { revealPiece } from "duello/laws";
 * import { NO_STATE } from "duello";
 *
 * const moves = { move: "0x00", salt, answerMove: "0x02", answerSalt: otherSalt };
 * const { data } = revealPiece({ round: 1, state: NO_STATE, ...moves, next: "0x" });
 * ```
 */
export function revealPiece(reveal: Reveal, next?: Commitment): Piece {
  const other = (changes: Partial<Reveal>) =>
    encodeReveal({ ...reveal, next: next ? encodeCommitment(next) : "0x", ...changes });
  const end = dataLength(other({ next: "0x" }));
  const wrong = {
    "a salt of zero": other({ salt: ZeroHash }),
    "another salt": other({ salt: keccak256(reveal.salt) }),
    "round 0": other({ round: 0 }),
    "the next round": other({ round: reveal.round + 1 }),
    "another state": other({ state: keccak256(reveal.state) }),
    "another move": other({ move: flipped(reveal.move) }),
    "another answer": other({ answerMove: flipped(reveal.answerMove) }),
    "another salt in the answer": other({ answerSalt: keccak256(reveal.answerSalt) }),
  };
  return {
    seat: Seat.One,
    data: other({}),
    fits: (length) => (!next && length === end) || fitsCommitment(length, end),
    wrong: next
      ? {
          ...wrong,
          "a next commitment of zero": other({ next: ZeroHash }),
          "no next commitment": other({ next: "0x" }),
        }
      : wrong,
  };
}

/**
 * Adds unexpected data, made of the most expensive bytes, to each piece: as many bytes as the game accepts there.
 * @example
 * ```ts
 * import { padded, Random } from "duello/laws";
 *
 * const expensive = padded(script, new Random("padding"));
 * ```
 */
export function padded(script: Script, random: Random): Script {
  const pieces = script.pieces.map((piece) => {
    const own = dataLength(piece.data);
    const fitting = Array.from({ length: MAX_PADDING + 1 }, (_, more) => more).filter((more) =>
      piece.fits?.(own + more),
    );
    return { ...piece, data: concat([piece.data, random.note(fitting.at(-1) ?? 0)]) };
  });
  return { ...script, pieces };
}

/**
 * Makes matches in which a player commits to a wrong move, so that the reveal fails with this error; `written` makes
 * the match with a committed move.
 * @example
 * ```ts
 * import { fraudsOf } from "duello/laws";
 *
 * const frauds = fraudsOf("MoveOutOfBounds", { "a move above 2": "0x03" }, () => script.pieces);
 * ```
 */
export function fraudsOf(
  error: string,
  moves: Record<string, Hex>,
  written: (move: Hex) => Piece[],
): Record<string, Fraud> {
  return Object.fromEntries(
    Object.entries(moves).map(([what, move]) => [`${what}, committed`, { error, pieces: written(move) }]),
  );
}

/**
 * Marks frauds that only the token contracts can detect.
 * @example
 * ```ts
 * import { ofTokens } from "duello/laws";
 *
 * const frauds = ofTokens({ "a sold fighter": { pieces: script.pieces, error: "NotOwned" } });
 * ```
 */
export function ofTokens(frauds: Record<string, Fraud>): Record<string, Fraud> {
  return Object.fromEntries(Object.entries(frauds).map(([what, fraud]) => [what, { ...fraud, isOfTokens: true }]));
}
