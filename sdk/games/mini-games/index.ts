import { MiniGames__factory, MiniGamesLog__factory } from "../../../typechain-types/index.js";
import { oneRound } from "../one-round.js";
import { assessMove, chooseMove, isLuck } from "./bot.js";
import { play } from "./engine.js";
import { facts } from "./facts.js";
import { frameOf } from "./frames.js";
import { decodeGame, encodeGame } from "./log.js";
import { kinds, modeOfHash, modes } from "./mode.js";
import { anyMove, move, movesOf } from "./moves.js";
import { summary, type Simulation } from "./simulate.js";
import { linesOf, resultText } from "./story.js";

export { chancesOf, judge, type Judgement } from "./engine.js";
export type { MiniGameFrame } from "./frames.js";
export { moveName, movesOf } from "./moves.js";
export { checkMode, decodeMode, encodeMode, KindId, kinds, modeOfHash, Ties, type Kind, type Mode } from "./mode.js";

/** Quick games of one move. */
export const miniGames = oneRound({
  ...facts,
  trust: "stock",
  abi: MiniGames__factory.abi,
  decoder: { contract: "MiniGamesLog", abi: MiniGamesLog__factory.abi },
  errors: {
    UnknownKind: "There is no game of kind {kind}.",
    UnknownTieRule: "{ties} is no rule for ties: 0 gives them to player 1, 1 makes them draws.",
    MoveOutOfBounds: "The move {move} is not between {min} and {max}.",
  },
  rules: {
    mode: modes,
    modeOfHash,
    move,
    subject: ({ kind }) => kinds[kind].title,
    random: anyMove,
    choices: movesOf,
    choose: chooseMove,
    play({ seed, mode, moves }) {
      const game = play(seed, mode, moves);
      return { winner: game.winner, entries: [game] };
    },
    entry: { encode: encodeGame, decode: decodeGame },
    summary,
    measure: (output) => ({ ties: (output as Simulation).tie }),
    frame: frameOf,
    lines: linesOf,
    assess: assessMove,
    isLuck,
    result: resultText,
  },
});
