import { kinds, type MiniGameFrame } from "duello/games/mini-games";
import type { SceneProps } from "../game.ts";
import { fromViewer, subjectOf } from "../shared/grammar.ts";
import { kindTitled, reasonText } from "./words.ts";

/** Describes a game: the moves of both players, and the reason for the result. */
export function sentence({
  frame,
  viewer,
  names,
}: Pick<SceneProps<MiniGameFrame>, "frame" | "viewer" | "names">): string {
  const { names: moves, verb = "plays" } = kinds[kindTitled(frame.game)];
  const choices = fromViewer(viewer).map((player) => {
    const value = frame.values[player - 1];
    const { does } = subjectOf(player, viewer, names);
    // For "you" the verb has no ending.
    return `${does(verb.slice(0, -1), verb)} ${moves?.[value] ?? value}`;
  });
  return `${choices.join(", ")}. ${reasonText(frame, viewer, names)}.`;
}
