import type { TicTacToeFrame } from "duello/games/tic-tac-toe";
import type { SceneProps } from "../game.ts";
import { subjectOf } from "../shared/grammar.ts";
import { placeOf } from "./places.ts";

/** Describes a mark: who marks which place, and whether that ends the game. */
export function sentence({
  frame: { move, cell, row, result, text },
  viewer,
  names,
}: Pick<SceneProps<TicTacToeFrame>, "frame" | "viewer" | "names">): string {
  if (!move) return text;
  const { does } = subjectOf(move.player, viewer, names);
  const end = row.length > 0 ? ": three in a row" : result?.winner === 0 ? ": the board is full" : "";
  return `${does("mark")} ${placeOf(cell)}${end}`;
}
