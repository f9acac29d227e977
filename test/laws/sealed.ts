import { concat, dataLength, keccak256, ZeroHash } from "ethers";
import type { Hex } from "../../sdk/protocol/hex.js";
import {
  encodeAnswer,
  encodeOpening,
  encodeSealed,
  type Answer,
  type Opening,
  type Sealed,
} from "../../sdk/protocol/seal.js";
import { Seat } from "../support/index.js";
import type { Fraud, Piece } from "./game.js";

const WORD = 32;
const MAX_NOTE = 96;

/** Whether `length` is `base` bytes and a seal with its note. */
export function fitsSealed(length: number, base = 0): boolean {
  return length >= base + WORD && length <= base + WORD + MAX_NOTE;
}

/** The first seal of a match, behind what a game's opening starts with. */
export function firstSeal(sealed: Sealed, start: Hex = "0x", wrong: Piece["wrong"] = {}): Piece {
  return {
    seat: Seat.One,
    data: concat([start, encodeSealed(sealed)]),
    fits: (length) => fitsSealed(length, dataLength(start)),
    wrong: { "a seal of zero": concat([start, encodeSealed({ ...sealed, seal: ZeroHash })]), ...wrong },
  };
}

/** Player 2's answer; `wrong` are illegal moves by what is wrong with them. */
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
      "another seal": other({ seal: keccak256(answer.seal) }),
      "no seal": other({ seal: ZeroHash }),
      ...Object.fromEntries(Object.entries(wrong).map(([what, move]) => [what, other({ move })])),
    },
  };
}

/** Player 1's opening; with `next` of the round that must follow, without it of the last one. */
export function openingPiece(opening: Opening, next?: Sealed): Piece {
  const other = (changes: Partial<Opening>) =>
    encodeOpening({ ...opening, next: next ? encodeSealed(next) : "0x", ...changes });
  const end = dataLength(other({ next: "0x" }));
  const wrong = {
    "a salt of zero": other({ salt: ZeroHash }),
    "another salt": other({ salt: keccak256(opening.salt) }),
    "round 0": other({ round: 0 }),
    "the next round": other({ round: opening.round + 1 }),
    "another state": other({ state: keccak256(opening.state) }),
    "another move": other({ move: flipped(opening.move) }),
    "another answer": other({ answerMove: flipped(opening.answerMove) }),
    "another salt in the answer": other({ answerSalt: keccak256(opening.answerSalt) }),
  };
  return {
    seat: Seat.One,
    data: other({}),
    fits: (length) => (!next && length === end) || fitsSealed(length, end),
    wrong: next
      ? { ...wrong, "a next seal of zero": other({ next: ZeroHash }), "no next seal": other({ next: "0x" }) }
      : wrong,
  };
}

/** Matches in which a wrong move was sealed and is refused by this error; `written` is the match with a sealed move. */
export function fraudsOf(
  error: string,
  moves: Record<string, Hex>,
  written: (move: Hex) => Piece[],
): Record<string, Fraud> {
  return Object.fromEntries(
    Object.entries(moves).map(([what, move]) => [`${what}, sealed`, { error, pieces: written(move) }]),
  );
}

/** The same, of which only the tokens know that they are wrong. */
export function ofTokens(frauds: Record<string, Fraud>): Record<string, Fraud> {
  return Object.fromEntries(Object.entries(frauds).map(([what, fraud]) => [what, { ...fraud, isOfTokens: true }]));
}

/** The same bytes with the last bit turned. */
export function flipped(data: Hex): Hex {
  const last = parseInt(data.slice(-1), 16) ^ 1;
  return data.slice(0, -1) + last.toString(16);
}
