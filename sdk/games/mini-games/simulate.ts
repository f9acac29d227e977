import type { BaseContract } from "ethers";
import type { SeededRandom } from "../../bots/seeded-random.js";
import { bytes32, list, object } from "../../protocol/input.js";
import { hexWord } from "../../protocol/word.js";
import { play } from "./engine.js";
import { decodeGame, encodeGame } from "./log.js";
import { checkMode, decodeMode, encodeMode } from "./mode.js";
import { anyMove, moveOf } from "./moves.js";

/** Output of a simulated game. */
export interface Simulation {
  /** Player who has won, 1 or 2; 0 for a draw. */
  winner: number;
  tie: boolean;
  /** Moves or rolls of both players. */
  values: number[];
  /** Side on which the coin fell; null where none is flipped. */
  flip: number | null;
  /** Log entries as 0x hex. */
  words: string[];
}

// Moves are read behind the mode, which says what they may be.
const readInput = object({ seed: bytes32, mode: checkMode, moves: (value: unknown) => value });

/**
 * Plays a game without a match, by the TypeScript engine or the `preview` of a deployed contract. The page
 * docs/games/mini-games.md describes input and output.
 * @throws InputError naming the field of the input that breaks a rule.
 */
export async function simulate(input: unknown, contract?: BaseContract): Promise<Simulation> {
  const { seed, mode, moves: given } = readInput(input, "");
  const moves = list(moveOf(mode.kind), 2)(given, "moves") as [number, number];
  if (!contract) return simulationOf(encodeGame(play(seed, mode, moves)));
  const result: unknown = await contract.getFunction("preview").staticCall(seed, encodeMode(mode), ...moves);
  const [, [entry]] = result as [winner: bigint, logEntries: bigint[]];
  return simulationOf(entry);
}

/**
 * Draws the input of a simulation between players of any moves.
 * @param content Bytes of the mode.
 */
export function atRandom(content: string, random: SeededRandom) {
  const mode = decodeMode(content);
  const move = () => anyMove(mode, (n) => random.below(n));
  return { seed: random.seed, mode, moves: [move(), move()] };
}

function simulationOf(entry: bigint): Simulation {
  const { winner, result, values, flip } = decodeGame(entry);
  return { winner, tie: result === 0, values, flip, words: [hexWord(entry)] };
}
