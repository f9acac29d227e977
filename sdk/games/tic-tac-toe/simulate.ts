import type { BaseContract } from "ethers";
import type { SeededRandom } from "../../bots/seeded-random.js";
import { integer, listUpTo, object, optional } from "../../protocol/input.js";
import { hexWord } from "../../protocol/word.js";
import { boardOf, freeCells, play } from "./engine.js";
import { CELLS, decodeMark } from "./log.js";
import { checkMode, decodeTies, encodeTies, Ties } from "./mode.js";

const readInput = object({
  mode: optional(checkMode, { ties: Ties.Draw }),
  moves: listUpTo(integer(0, CELLS - 1), Infinity),
});

/**
 * Plays marks without a match, by the TypeScript engine or the `preview` of a deployed contract. The page
 * docs/games/tic-tac-toe.md describes input and output.
 * @throws InputError naming the field of the input that breaks a rule, or the mark that cannot be made.
 */
export async function simulate(input: unknown, contract?: BaseContract): Promise<object> {
  const { mode, moves } = readInput(input, "");
  const engine = play(moves, mode.ties);
  const chain: unknown = contract && (await contract.getFunction("preview").staticCall(encodeTies(mode.ties), moves));
  const entries = chain === undefined ? engine : Array.from(chain as bigint[]);
  const last = entries.map(decodeMark).at(-1);
  const { winner, finished } = last ?? { winner: 0, finished: false };
  return { winner: finished ? winner : null, finished, board: boardOf(last), words: entries.map(hexWord) };
}

/**
 * Draws the input of a simulation of a whole game between players of any marks.
 * @param content Bytes of the mode, `0x` for the default.
 */
export function atRandom(content: string, random: SeededRandom) {
  const ties = content === "0x" ? Ties.Draw : decodeTies(content);
  const free = freeCells([]);
  const cells: number[] = [];
  do cells.push(...free.splice(random.below(free.length), 1));
  while (!decodeMark(play(cells, ties).at(-1)!).finished);
  return { mode: { ties }, moves: cells };
}
