import type { BaseContract } from "ethers";
import { MiniGames__factory } from "../../../typechain-types/index.js";
import type { SeededRandom } from "../../bots/seeded-random.js";
import { bytes32, list, object } from "../../protocol/input.js";
import { committedChooser, committedMoves, type CommittedMoves } from "../commit-reveal.js";
import { hexWord } from "../../protocol/word.js";
import { decodeGame, encodeGame, play } from "./engine.js";
import { gamesOf, replay, story } from "./match.js";
import { checkMode, decodeMode, encodeMode, moveOf } from "./mode.js";
import { chooseMove, weighMove } from "./strategy.js";
import { anyMove, anyTurn, readTurn } from "./turn.js";
import { defineGame, type ModeDefinition } from "../module.js";

/** What a simulated game prints: winner 0 is a draw, values are the moves or rolls, words are 0x hex. */
export interface Simulation {
  winner: number;
  tie: boolean;
  values: number[];
  flip: number | null;
  words: string[];
}

const readInput = object({ seed: bytes32, mode: checkMode, moves: (value: unknown) => value });

const committedRounds: CommittedMoves = {
  usage: ["MOVE", "MOVE"],
  rounds: 1,
  lengths: () => [1, 1],
  read: readTurn,
  suggest: anyTurn,
};

/** Quick games of one move. */
export const miniGames = defineGame({
  name: "mini-games",
  contract: "MiniGames",
  abi: MiniGames__factory.abi,
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
    "chosen-dice": draws(1, "Always 6 never loses, so it is the only sensible move."),
    strategy: draws(2, "Always 9 never loses, so it is the only sensible move."),
  },
  errors: {
    UnknownKind: "There is no game of kind {kind}.",
    UnknownTieRule: "{ties} is no rule for ties: 0 gives them to player 1, 1 makes them draws.",
    MoveOutOfBounds: "The move {move} is not between {min} and {max}.",
  },
  moves: committedMoves(committedRounds),
  strategy: committedChooser(committedRounds, chooseMove),
  assess: weighMove,
  atRandom(content: string, random: SeededRandom) {
    const mode = decodeMode(content);
    const move = () => anyMove(mode, (n) => random.below(n));
    return { seed: random.seed, mode, moves: [move(), move()] };
  },
  replay,
  decodeLog: gamesOf,
  story,
  async simulate(input: unknown, contract?: BaseContract): Promise<Simulation> {
    const { seed, mode, moves: given } = readInput(input, "");
    const moves = list(moveOf(mode.kind), 2)(given, "moves") as [number, number];
    if (!contract) return simulationOf(encodeGame(play(seed, mode, moves)));
    const result: unknown = await contract.getFunction("preview").staticCall(seed, encodeMode(mode), ...moves);
    const [, [entry]] = result as [winner: bigint, words: bigint[]];
    return simulationOf(entry);
  },
});

function draws(kind: number, weakness?: string): ModeDefinition {
  return { content: encodeMode({ kind, ties: 1 }), weakness };
}

/** With ties to player 1, who has to stake more for it. */
function tiesToChallenger(kind: number, ...odds: [bigint, bigint]): ModeDefinition {
  return { content: encodeMode({ kind, ties: 0 }), odds, ties: "challenger" };
}

function simulationOf(entry: bigint): Simulation {
  const { winner, result, values, flip } = decodeGame(entry);
  return { winner, tie: result === 0, values, flip, words: [hexWord(entry)] };
}
