import { dataLength, toBeHex, toNumber, type BaseContract } from "ethers";
import { MiniGames__factory } from "../../typechain-types/index.js";
import { bytes32, InputError, list, object } from "../input.js";
import type { Hex } from "../seal.js";
import { hexWord } from "../word.js";
import { decodeGame, encodeGame, play } from "./mini-games/engine.js";
import { gamesOf, replay, story } from "./mini-games/match.js";
import { checkMode, encodeMode, kinds, moveOf } from "./mini-games/mode.js";
import type { GameModule, StockMode } from "./module.js";

/** What a simulated game prints: winner 0 is a draw, values are the moves or rolls, words are 0x hex. */
export interface Simulation {
  winner: number;
  tie: boolean;
  values: number[];
  flip: number | null;
  words: string[];
}

const HIGHEST_MOVE = 9;
const WORDS = Object.values(kinds).flatMap(({ words = [] }) => words.map((word, move) => [word, move] as const));

const readInput = object({ seed: bytes32, mode: checkMode, moves: (value: unknown) => value });

/** Quick games of one move. */
export const miniGames = {
  name: "mini-games",
  title: "Mini-games",
  contract: "MiniGames",
  abi: MiniGames__factory.abi,
  tokens: [],
  // Chosen dice and strategy battle with ties to the challenger cannot be lost by it: no stakes make them even.
  modes: {
    "rock-paper-scissors": draws(0),
    "rock-paper-scissors-challenger": tiesToChallenger(0, 2n, 1n),
    coin: draws(3),
    "coin-challenger": tiesToChallenger(3, 3n, 1n),
    dice: draws(5),
    "dice-challenger": tiesToChallenger(5, 7n, 5n),
    undercut: draws(6),
    "undercut-challenger": tiesToChallenger(6, 2n, 1n),
    "chosen-dice": draws(1),
    strategy: draws(2),
  },
  errors: {
    UnknownKind: "There is no game of kind {kind}.",
    UnknownTieRule: "{ties} is no rule for ties: 0 gives them to player 1, 1 makes them draws.",
    MoveOutOfBounds: "The move {move} is not between {least} and {most}.",
  },
  moveUsage: "MOVE",
  readMove,
  showMove,
  concerns: () => Promise.resolve([]),
  replay,
  decodeLog: gamesOf,
  story,
  async simulate(input: unknown, contract?: BaseContract): Promise<Simulation> {
    const { seed, mode, moves: given } = readInput(input, "");
    const moves = list(moveOf(mode.kind), 2)(given, "moves") as [number, number];
    if (!contract) return simulationOf(encodeGame(play(seed, mode, moves)));
    const result: unknown = await contract.getFunction("preview").staticCall(seed, encodeMode(mode), ...moves);
    const [, [word]] = result as [winner: bigint, words: bigint[]];
    return simulationOf(word);
  },
} satisfies GameModule;

function draws(kind: number): StockMode {
  return { content: encodeMode({ kind, ties: 1 }), odds: [1n, 1n] };
}

/** With ties to player 1, who has to stake more for it. */
function tiesToChallenger(kind: number, ...odds: [bigint, bigint]): StockMode {
  return { content: encodeMode({ kind, ties: 0 }), odds };
}

/** A move from its number or name; which of them are valid depends on the mode. */
function readMove([word, ...rest]: readonly string[]): Hex {
  const move = WORDS.find(([name]) => name === word)?.[1] ?? (/^\d$/.test(word ?? "") ? Number(word) : undefined);
  if (move !== undefined && rest.length === 0) return toBeHex(move, 1);
  const names = WORDS.map(([name]) => name).join(", ");
  throw new InputError("move", `it is one of 0 to ${HIGHEST_MOVE}, ${names}`);
}

function showMove(move: Hex): string {
  if (dataLength(move) !== 1) throw new InputError("move", `${dataLength(move)} bytes instead of 1`);
  const number = toNumber(move);
  const names = WORDS.filter(([, value]) => value === number).map(([name]) => name);
  return names.length === 0 ? String(number) : `${number} (${names.join(", ")})`;
}

function simulationOf(word: bigint): Simulation {
  const { winner, result, values, flip } = decodeGame(word);
  return { winner, tie: result === 0, values, flip, words: [hexWord(word)] };
}
