import { miniGames } from "../../../sdk/games/mini-games/index.js";
import { ticTacToe } from "../../../sdk/games/tic-tac-toe/index.js";
import type { GameModule } from "../../../sdk/games/module.js";
import { lawsOf, type Derivation } from "../../../sdk/laws/derived.js";
import type { WrongMove } from "../../../sdk/laws/derived-script.js";
import type { LawGame } from "../../../sdk/laws/game.js";
import { deployMock } from "../index.js";

function derived(module: GameModule, derivation: Omit<Derivation, "deploy">): LawGame {
  const laws = lawsOf(module, { deploy: ({ arena }) => deployMock(module.contract, arena), ...derivation });
  return { ...laws, name: `${laws.name}, by its module` };
}

/** One committed move each: rock-paper-scissors, and the coin, which has a die. @param wrongMoves Moves of both seats. */
export function derivedMiniGames(
  wrongMoves: Record<string, WrongMove> = { "the move 200": { move: "0xc8", error: "MoveOutOfBounds" } },
): LawGame {
  return derived(miniGames, { modes: ["0x0000", "0x0501"], wrongMoves: () => wrongMoves });
}

/** Open turns. */
export function derivedTicTacToe(): LawGame {
  return derived(ticTacToe, { wrongMoves: () => ({ "cell 200": { move: "0xc8", error: "UnknownCell" } }) });
}
