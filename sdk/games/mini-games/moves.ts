import { randomBytes, toBeHex } from "ethers";
import type { Hex } from "../../protocol/hex.js";
import { InputError, integer, type Reader } from "../../protocol/input.js";
import type { CommittedMoves } from "../commit-reveal.js";
import type { Turn } from "../moves.js";
import { kinds, modeOfHash, type Mode } from "./mode.js";

/** Length of a move in bytes. */
export const MOVE_BYTES = 1;

/** Rules of the only round of a match, in which each player brings a move. */
export const moveRound: CommittedMoves = {
  usage: ["MOVE", "MOVE"],
  rounds: 1,
  lengths: () => [MOVE_BYTES, MOVE_BYTES],
  read: readTurn,
  suggest: suggestTurn,
  choices: movesOfTurn,
};

/**
 * Reads a move from its number or its name on the command line.
 * @throws InputError for what is no move of the mode's game.
 */
export async function readTurn(moveArgs: readonly string[], _round: number, turn: Turn): Promise<Hex> {
  const { kind } = modeOfHash(turn.mode);
  const { names = [], title } = kinds[kind];
  const [text] = moveArgs;
  const move = names.includes(text) ? names.indexOf(text) : Number(/^\d$/.test(text) ? text : NaN);
  if (moveArgs.length !== 1 || Number.isNaN(move)) {
    throw new InputError("move", `a move of ${title} is one number${names.map((name) => ` or ${name}`).join("")}`);
  }
  return toBeHex(moveOf(kind)(move, "move"), MOVE_BYTES);
}

/**
 * Draws any move of a mode's game.
 * @param below Draws a number from 0 to n - 1.
 */
export function anyMove({ kind }: Mode, below: (n: number) => number): number {
  const { min, max } = kinds[kind];
  return min + below(max + 1 - min);
}

/** Creates a reader of the moves of a kind of game, as JSON numbers. */
export function moveOf(kind: number): Reader<number> {
  const { title, min, max } = kinds[kind];
  return (value, path) => {
    const move = integer(0, 255)(value, path);
    if (move >= min && move <= max) return move;
    throw new InputError(path, `${title} takes ${min === max ? `only ${min}` : `${min} to ${max}`}, not ${move}`);
  };
}

/** Lists the moves of the mode's game, by name where they have names. */
async function movesOfTurn(_round: number, { mode }: Turn): Promise<string[]> {
  const { min, max, names } = kinds[modeOfHash(mode).kind];
  return [...(names ?? Array.from({ length: max + 1 - min }, (_, i) => String(min + i)))];
}

/** Suggests any move of the mode's game. */
async function suggestTurn(_round: number, turn: Turn): Promise<string[]> {
  return [String(anyMove(modeOfHash(turn.mode), (n) => randomBytes(1)[0] % n))];
}
