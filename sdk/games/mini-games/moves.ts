import type { RandomSource } from "../../bots/source.js";
import { InputError, integer, type Reader } from "../../protocol/input.js";
import { byteMove, type MoveCodec } from "../move-codec.js";
import { kinds, type Mode } from "./mode.js";

/** Length of a move in bytes. */
export const MOVE_BYTES = 1;

/** Moves are numbers. On the command line some also have names, in suggestions and in choices. */
export const move: MoveCodec<Mode, number> = {
  ...byteMove("MOVE"),
  read: ({ kind }) => moveOf(kind),
  parse,
  args: (number, { kind }) => [moveName(kind, number)],
};

/** Draws any move of a mode's game. */
export function anyMove({ kind }: Mode, source: RandomSource): number {
  const { min, max } = kinds[kind];
  return min + source.below(max + 1 - min);
}

/**
 * Lists the moves of a mode's game, from the lowest.
 * @example
 * ```ts
 * import { KindId, movesOf } from "duello/games/mini-games";
 *
 * movesOf({ kind: KindId.Dice }); // => [1, 2, 3, 4, 5, 6]
 * ```
 */
export function movesOf({ kind }: Pick<Mode, "kind">): number[] {
  const { min, max } = kinds[kind];
  return Array.from({ length: max + 1 - min }, (_, i) => min + i);
}

/**
 * Names a move, or returns its number as text.
 * @example
 * ```ts
 * import { KindId, moveName } from "duello/games/mini-games";
 *
 * moveName(KindId.RockPaperScissors, 1); // => "paper"
 * moveName(KindId.Dice, 6); // => "6"
 * ```
 */
export function moveName(kind: number, move: number): string {
  return kinds[kind].names?.[move] ?? String(move);
}

/** Parses a move's number or name. @throws InputError for anything else */
function parse(moveArgs: readonly string[], { kind }: Mode): number {
  const { names = [], title } = kinds[kind];
  const [text] = moveArgs;
  const number = names.includes(text) ? names.indexOf(text) : Number(/^\d$/.test(text) ? text : NaN);
  if (moveArgs.length !== 1 || Number.isNaN(number)) {
    throw new InputError("move", `a move of ${title} is one number${names.map((name) => ` or ${name}`).join("")}`);
  }
  return number;
}

/** Creates a reader of the moves of a kind of game, as JSON numbers. */
function moveOf(kind: number): Reader<number> {
  const { title, min, max } = kinds[kind];
  return (value, path) => {
    const number = integer(0, 255)(value, path);
    if (number >= min && number <= max) return number;
    throw new InputError(path, `${title} takes ${min === max ? `only ${min}` : `${min} to ${max}`}, not ${number}`);
  };
}
