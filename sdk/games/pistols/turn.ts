import { randomBytes } from "ethers";
import { InputError } from "../../protocol/input.js";
import type { Turn } from "../moves.js";
import type { Hex } from "../../protocol/hex.js";
import { Seat } from "../../protocol/status.js";
import { answerMove } from "./match.js";
import { ALL_BLADES, MAX_PACES, readMove, entriesOf } from "./moves.js";

/** The move of a round in words: paces, and then blades. An answer with paces names what its player is as a duelist. */
export async function readRound(moveArgs: readonly string[], round: number, turn: Turn): Promise<Hex> {
  const move = readMove(moveArgs);
  const isPaces = move.length === 4;
  if (isPaces !== (round === 1)) throw new InputError("move", round === 1 ? "it is paces, 1 to 10" : "it is blades");
  if (round !== 1 || turn.seat === Seat.One) return move;
  const { addresses, provider } = turn.history;
  return answerMove(move, turn.player, addresses.Pistols, provider);
}

/** Any move of a round. */
export async function anyRound(round: number): Promise<string[]> {
  const [random] = randomBytes(1);
  if (round === 1) return [String(1 + (random % MAX_PACES))];
  return entriesOf(ALL_BLADES[random % ALL_BLADES.length]);
}
