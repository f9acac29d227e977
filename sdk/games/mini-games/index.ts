import { MiniGames__factory, MiniGamesLog__factory } from "../../../typechain-types/index.js";
import type { ModeDefinition, StockMode } from "../module.js";
import { oneRound } from "../one-round.js";
import { assessMove, chooseMove } from "./bot.js";
import { play } from "./engine.js";
import { decodeGame, encodeGame } from "./log.js";
import { encodeMode, KindId, kinds, modeOfHash, modes, Ties } from "./mode.js";
import { anyMove, move, namesOf } from "./moves.js";
import { summary, type Simulation } from "./simulate.js";
import { linesOf } from "./story.js";

/** Odds of a mode that player 1 cannot lose: whatever player 2 stakes is too much. */
const NO_FAIR_STAKE = [1n, 0n] as const;

/** Quick games of one move. */
export const miniGames = oneRound({
  name: "mini-games",
  trust: "stock",
  contract: "MiniGames",
  abi: MiniGames__factory.abi,
  decoder: { contract: "MiniGamesLog", abi: MiniGamesLog__factory.abi },
  modes: {
    "rock-paper-scissors": draws(KindId.RockPaperScissors),
    "rock-paper-scissors-challenger": tiesToChallenger(KindId.RockPaperScissors, [2n, 1n]),
    coin: draws(KindId.Coin),
    "coin-challenger": tiesToChallenger(KindId.Coin, [3n, 1n]),
    dice: draws(KindId.Dice, "Always 6 never loses, so it is the only sensible move."),
    "dice-challenger": tiesToChallenger(KindId.Dice, NO_FAIR_STAKE, "Player 1 wins whenever it plays 6."),
    "rolled-dice": draws(KindId.RolledDice),
    "rolled-dice-challenger": tiesToChallenger(KindId.RolledDice, [7n, 5n]),
    undercut: draws(KindId.Undercut),
    "undercut-challenger": tiesToChallenger(KindId.Undercut, [2n, 1n]),
    strategy: draws(KindId.StrategyBattle, "Always 9 never loses, so it is the only sensible move."),
    "strategy-challenger": tiesToChallenger(KindId.StrategyBattle, NO_FAIR_STAKE, "Player 1 wins whenever it plays 9."),
  },
  errors: {
    UnknownKind: "There is no game of kind {kind}.",
    UnknownTieRule: "{ties} is no rule for ties: 0 gives them to player 1, 1 makes them draws.",
    MoveOutOfBounds: "The move {move} is not between {min} and {max}.",
  },
  assess: assessMove,
  rules: {
    mode: modes,
    modeOfHash,
    move,
    subject: ({ kind }) => kinds[kind].title,
    random: anyMove,
    choices: namesOf,
    choose: chooseMove,
    play({ seed, mode, moves }) {
      const game = play(seed, mode, moves);
      return { winner: game.winner, entries: [game] };
    },
    entry: { encode: encodeGame, decode: decodeGame },
    summary,
    measure: (output) => ({ ties: (output as Simulation).tie }),
    lines: linesOf,
  },
});

/** Creates a mode in which ties are draws. */
function draws(kind: number, weakness?: string): ModeDefinition {
  return { content: encodeMode({ kind, ties: Ties.Draw }), weakness };
}

/** Creates a mode in which player 1 wins ties, and has to stake more for it. */
function tiesToChallenger(kind: number, odds: StockMode["odds"], weakness?: string): ModeDefinition {
  return { content: encodeMode({ kind, ties: Ties.ToPlayer1 }), odds, ties: "challenger", weakness };
}
