import { miniGames } from "../../../sdk/games/mini-games/index.js";
import type { WrongMove } from "../../../sdk/laws/derived-script.js";
import { lawsOf } from "../../../sdk/laws/derived.js";
import type { LawGame } from "../../../sdk/laws/game.js";
import { deployMock } from "../index.js";

/**
 * Derives the laws of rock-paper-scissors and the coin, which has a die, from the module.
 * @param wrongMoves Invalid moves of both seats.
 */
export function derivedMiniGames(
  wrongMoves: Record<string, WrongMove> = { "the move 200": { move: "0xc8", error: "MoveOutOfBounds" } },
): LawGame {
  const laws = lawsOf(miniGames, {
    deploy: ({ arena }) => deployMock(miniGames.contract, arena),
    modes: ["0x0000", "0x0501"],
    wrongMoves: () => wrongMoves,
  });
  return { ...laws, name: `${laws.name}, by its module` };
}
