import { concat, keccak256, toBeHex } from "ethers";
import { sized } from "../../protocol/bytes.js";
import { InputError, integer, object, type Reader } from "../../protocol/input.js";
import type { Hex } from "../../protocol/hex.js";

/** Which of the games, and who has its ties: 0 player 1, 1 nobody. */
export interface Mode {
  readonly kind: number;
  readonly ties: number;
}

/** A kind of game. */
export interface Kind {
  readonly title: string;
  /** Its moves are `least` to `most`. */
  readonly min: number;
  readonly max: number;
  /** What its moves are called where numbers would say little. */
  readonly words?: readonly string[];
  /** What its players do. */
  readonly verb?: string;
}

/** By the first byte of a mode. */
export const kinds: Readonly<Record<number, Kind>> = {
  0: { title: "rock-paper-scissors", min: 0, max: 2, words: ["rock", "paper", "scissors"] },
  1: { title: "chosen dice", min: 1, max: 6 },
  2: { title: "strategy battle", min: 0, max: 9 },
  3: { title: "coin flip", min: 0, max: 1, words: ["heads", "tails"], verb: "calls" },
  5: { title: "rolled dice", min: 0, max: 0, verb: "rolls" },
  6: { title: "undercut", min: 0, max: 9 },
};

const BYTES = 2;

const readKind: Reader<number> = (value, path) => {
  const kind = integer(0, 255)(value, path);
  if (!(kind in kinds))
    throw new InputError(path, `there is no kind ${kind}; there are ${Object.keys(kinds).join(", ")}`);
  return kind;
};

/** The mode that `value` describes, both fields given. @throws InputError for what breaks a bound. */
export const checkMode: Reader<Mode> = object({ kind: readKind, ties: integer(0, 1) });

/** A mode as the 2 bytes that the contract registers. */
export function encodeMode({ kind, ties }: Mode): Hex {
  return concat([toBeHex(kind, 1), toBeHex(ties, 1)]);
}

/** The mode in registered bytes. @throws InputError for another length or bytes out of bounds. */
export function decodeMode(content: Hex): Mode {
  const [kind, ties] = sized(content, "mode", BYTES);
  return checkMode({ kind, ties }, "mode");
}

const published = new Map<string, Mode>(
  Object.keys(kinds).flatMap((kind) =>
    [0, 1].map((ties) => {
      const mode = { kind: Number(kind), ties };
      return [keccak256(encodeMode(mode)), mode];
    }),
  ),
);

/** The mode that a hash is of, registered or not: there are no others. @throws InputError if there is none. */
export function modeOfHash(hash: Hex): Mode {
  const mode = published.get(hash);
  if (!mode) throw new InputError("mode", `the mini-games have no mode ${hash}`);
  return mode;
}

/** A valid move of a kind. */
export function moveOf(kind: number): Reader<number> {
  const { title, min, max } = kinds[kind];
  return (value, path) => {
    const move = integer(0, 255)(value, path);
    if (move >= min && move <= max) return move;
    throw new InputError(path, `${title} takes ${min === max ? `only ${min}` : `${min} to ${max}`}, not ${move}`);
  };
}
