import { randomBytes, toBeHex } from "ethers";
import { InputError } from "../../protocol/input.js";
import type { Turn } from "../moves.js";
import type { Hex } from "../../protocol/hex.js";
import { kinds, modeOfHash, moveOf, type Mode } from "./mode.js";

/** A move from its number or its name in the mode's game. */
export async function readTurn(moveArgs: readonly string[], _round: number, turn: Turn): Promise<Hex> {
  const { kind } = modeOfHash(turn.mode);
  const { words: names = [], title } = kinds[kind];
  const [word] = moveArgs;
  const move = names.includes(word) ? names.indexOf(word) : Number(/^\d$/.test(word) ? word : NaN);
  if (moveArgs.length !== 1 || Number.isNaN(move)) {
    throw new InputError("move", `a move of ${title} is one number${names.map((name) => ` or ${name}`).join("")}`);
  }
  return toBeHex(moveOf(kind)(move, "move"), 1);
}

/** Any move. */
export async function anyTurn(_round: number, turn: Turn): Promise<string[]> {
  return [String(anyMove(modeOfHash(turn.mode), (n) => randomBytes(1)[0] % n))];
}

/** Any move of a mode; `below` gives 0..n-1. */
export function anyMove({ kind }: Mode, below: (n: number) => number): number {
  const { min, max } = kinds[kind];
  return min + below(max + 1 - min);
}
