import { defineFacts, type ModeDefinition, type ModeFacts } from "../module.js";
import { encodeMode, KindId, Ties } from "./mode.js";

/** Odds of a mode that player 1 cannot lose: no stake of player 2 is fair. */
const NO_FAIR_STAKE = [1n, 0n] as const;

/** Facts about the game, which the catalogue uses too. */
export const facts = defineFacts({
  name: "mini-games",
  summary: "Rock paper scissors, coin, dice: one move each, and it is decided.",
  contract: "MiniGames",
  modes: {
    "rock-paper-scissors": draws("rock-paper-scissors-challenger", KindId.RockPaperScissors),
    "rock-paper-scissors-challenger": tiesToChallenger(KindId.RockPaperScissors, [2n, 1n]),
    coin: draws("coin-challenger", KindId.Coin),
    "coin-challenger": tiesToChallenger(KindId.Coin, [3n, 1n]),
    dice: draws("dice-challenger", KindId.Dice, "Always 6 never loses, so it is the only sensible move."),
    "dice-challenger": tiesToChallenger(KindId.Dice, NO_FAIR_STAKE, "Player 1 wins whenever it plays 6."),
    "rolled-dice": draws("rolled-dice-challenger", KindId.RolledDice),
    "rolled-dice-challenger": tiesToChallenger(KindId.RolledDice, [7n, 5n]),
    undercut: draws("undercut-challenger", KindId.Undercut),
    "undercut-challenger": tiesToChallenger(KindId.Undercut, [2n, 1n]),
    strategy: draws(
      "strategy-challenger",
      KindId.StrategyBattle,
      "Always 9 never loses, so it is the only sensible move.",
    ),
    "strategy-challenger": tiesToChallenger(KindId.StrategyBattle, NO_FAIR_STAKE, "Player 1 wins whenever it plays 9."),
  },
});

/** Creates a mode in which ties are draws. @param againstProgram Mode of the source, in which a person wins ties. */
function draws(againstProgram: string, kind: number, weakness?: string): ModeDefinition {
  return { content: encodeMode({ kind, ties: Ties.Draw }), againstProgram, weakness };
}

/** Creates a mode in which player 1 wins ties, and stakes more in return. */
function tiesToChallenger(kind: number, odds: ModeFacts["odds"], weakness?: string): ModeDefinition {
  return { content: encodeMode({ kind, ties: Ties.ToPlayer1 }), odds, ties: "challenger", weakness };
}
