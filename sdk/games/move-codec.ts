import { hexOf, sized } from "../protocol/bytes.js";
import type { Hex } from "../protocol/hex.js";
import { InputError, type Reader } from "../protocol/input.js";

/** Functions of a game that read and write its moves: `M` is a mode, `V` a move as a JSON value. */
export interface MoveCodec<M, V> {
  /** Arguments of a move on the command line, e.g. `CELL`. */
  readonly usage: string;
  /** Returns the length of an encoded move in bytes. */
  length(mode: M): number;
  /** Makes a reader of moves. It throws InputError for an invalid move of the mode. */
  read(mode: M): Reader<V>;
  /**
   * Parses the arguments of a move into a value, which the reader then checks.
   * @throws InputError for arguments that cannot be parsed.
   */
  parse(moveArgs: readonly string[], mode: M): unknown;
  /** Returns the arguments of a move; defaults to its number, or its numbers in order. */
  args?(move: V, mode: M): string[];
  /** Encodes a move as bytes. */
  encode(move: V, mode: M): ArrayLike<number>;
  /** Decodes bytes of the right length into a move, which may be illegal. */
  decode(bytes: Uint8Array, mode: M): V;
  /** Describes a move, legal or not, e.g. `rock`; defaults to its arguments. */
  text?(move: V, mode: M): string;
}

/**
 * Makes the functions of a codec whose moves are numbers of one byte.
 * @param usage Name of the argument.
 * @throws InputError, from `parse`, for too few or too many arguments.
 * @example
 * ```ts
 * import { byteMove, integer } from "duello";
 *
 * const move = { ...byteMove("CELL"), read: () => integer(0, 8) };
 * move.parse(["4"]); // => 4
 * ```
 */
export function byteMove(usage: string) {
  return {
    usage,
    length: () => 1,
    parse: (moveArgs: readonly string[]): unknown => numbersIn(moveArgs, usage)[0],
    encode: (move: number) => [move],
    decode: ([move]: Uint8Array) => move,
  };
}

/**
 * Makes the functions of a codec whose moves are lists of numbers, a byte each.
 * @param usage Names of the arguments.
 * @throws InputError, from `parse`, for too few or too many arguments.
 * @example
 * ```ts
 * import { byteListMove, integer, list } from "duello";
 *
 * const move = { ...byteListMove("SOLDIERS SOLDIERS"), read: () => list(integer(0, 10), 2) };
 * move.parse(["3", "7"]); // => [3, 7]
 * ```
 */
export function byteListMove(usage: string) {
  return {
    usage,
    length: () => namesIn(usage).length,
    parse: (moveArgs: readonly string[]): unknown => numbersIn(moveArgs, usage),
    encode: (move: number[]) => move,
    decode: (bytes: Uint8Array) => [...bytes],
  };
}

/** Reads a move from arguments. @throws InputError for arguments that are not a move of the mode. */
export function readMove<M, V>(codec: MoveCodec<M, V>, moveArgs: readonly string[], mode: M): V {
  return codec.read(mode)(codec.parse(moveArgs, mode), "move");
}

/** Encodes a move. @throws InputError for a move that does not have the length of the mode's moves. */
export function encodeMove<M, V>(codec: MoveCodec<M, V>, move: V, mode: M): Hex {
  return hexOf(sized(Uint8Array.from(codec.encode(move, mode)), "move", codec.length(mode)));
}

/** Checks and encodes a move. @throws InputError for an invalid move of the mode. */
export function encodeLegalMove<M, V>(codec: MoveCodec<M, V>, move: unknown, mode: M): Hex {
  return encodeMove(codec, codec.read(mode)(move, "move"), mode);
}

/**
 * Decodes a move, which may be illegal.
 * @throws InputError if the length is not the length of the mode's moves.
 */
export function decodeMove<M, V>(codec: MoveCodec<M, V>, data: Hex | Uint8Array, mode: M): V {
  return codec.decode(sized(data, "move", codec.length(mode)), mode);
}

/** Returns whether a move is valid in a mode. */
export function isMove<M, V>(codec: MoveCodec<M, V>, move: V, mode: M): boolean {
  try {
    codec.read(mode)(move, "move");
    return true;
  } catch (error) {
    if (error instanceof InputError) return false;
    throw error;
  }
}

/** Returns the arguments of a move. */
export function argsOf<M, V>(codec: MoveCodec<M, V>, move: V, mode: M): string[] {
  return codec.args?.(move, mode) ?? [move].flat().map(String);
}

/** Lists moves as choices for a terminal. */
export function choicesOf<M, V>(codec: MoveCodec<M, V>, moves: readonly V[], mode: M): string[] {
  return moves.map((move) => argsOf(codec, move, mode).join(" "));
}

/** Describes a move in words. */
export function moveText<M, V>(codec: MoveCodec<M, V>, move: V, mode: M): string {
  return codec.text?.(move, mode) ?? argsOf(codec, move, mode).join(" ");
}

/** Parses decimal numbers; other arguments stay unchanged, so that the move's reader rejects them. */
function numbersIn(moveArgs: readonly string[], usage: string): (number | string)[] {
  const wanted = namesIn(usage).length;
  if (moveArgs.length !== wanted) {
    throw new InputError("move", `${moveArgs.length} arguments instead of ${wanted}: ${usage}`);
  }
  return moveArgs.map((arg) => (/^\d{1,15}$/.test(arg) ? Number(arg) : arg));
}

function namesIn(usage: string): string[] {
  return usage.split(" ");
}
