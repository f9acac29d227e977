import { MiniGames__factory, MiniGamesLog__factory } from "../../../typechain-types/index.js";
import { defineGame, type ModeDefinition } from "../module.js";
import { committedChooser, committedMoves } from "../commit-reveal.js";
import { assessMove, chooseMove } from "./bot.js";
import { calculator } from "./calculator.js";
import { encodeMode, KindId, Ties } from "./mode.js";
import { moveRound } from "./moves.js";
import { decodeLog, replay } from "./replay.js";
import { atRandom, simulate } from "./simulate.js";
import { actionTexts, story } from "./story.js";

/** Quick games of one move. */
export const miniGames = defineGame({
  name: "mini-games",
  contract: "MiniGames",
  abi: MiniGames__factory.abi,
  decoder: { contract: "MiniGamesLog", abi: MiniGamesLog__factory.abi },
  // Chosen dice and strategy battle with ties to the challenger cannot be lost by it: no stakes make them even.
  modes: {
    "rock-paper-scissors": draws(KindId.RockPaperScissors),
    "rock-paper-scissors-challenger": tiesToChallenger(KindId.RockPaperScissors, [2n, 1n]),
    coin: draws(KindId.Coin),
    "coin-challenger": tiesToChallenger(KindId.Coin, [3n, 1n]),
    dice: draws(KindId.RolledDice),
    "dice-challenger": tiesToChallenger(KindId.RolledDice, [7n, 5n]),
    undercut: draws(KindId.Undercut),
    "undercut-challenger": tiesToChallenger(KindId.Undercut, [2n, 1n]),
    "chosen-dice": draws(KindId.ChosenDice, "Always 6 never loses, so it is the only sensible move."),
    strategy: draws(KindId.StrategyBattle, "Always 9 never loses, so it is the only sensible move."),
  },
  errors: {
    UnknownKind: "There is no game of kind {kind}.",
    UnknownTieRule: "{ties} is no rule for ties: 0 gives them to player 1, 1 makes them draws.",
    MoveOutOfBounds: "The move {move} is not between {min} and {max}.",
  },
  moves: committedMoves(moveRound),
  strategy: committedChooser(moveRound, chooseMove),
  assess: assessMove,
  replay,
  decodeLog,
  story,
  actionTexts,
  atRandom,
  calculator,
  simulate,
});

/** Creates a mode in which ties are draws. */
function draws(kind: number, weakness?: string): ModeDefinition {
  return { content: encodeMode({ kind, ties: Ties.Draw }), weakness };
}

/** Creates a mode in which player 1 wins ties, and has to stake more for it. */
function tiesToChallenger(kind: number, odds: [bigint, bigint]): ModeDefinition {
  return { content: encodeMode({ kind, ties: Ties.ToPlayer1 }), odds, ties: "challenger" };
}
