import type { Frame, GameView as ViewOf } from "duello";
import type { ComponentChildren } from "preact";
import { loadView } from "virtual:own-games";

export type { CourseProps, HintMoment, PickerProps, SceneProps } from "duello";

/** The page's additions to a game's module: a file of this folder has them as its default export. */
export type GameView<F extends Frame = Frame> = ViewOf<F, ComponentChildren>;

const files = import.meta.glob<{ default: GameView<never> }>("./*.tsx");

/** Loads the view of a game by its name; an empty view for a game that has none. */
export async function viewOfGame(name: string): Promise<GameView> {
  const load = files[`./${name}.tsx`];
  const view = load ? (await load()).default : await loadView(name);
  return (view ?? {}) as GameView;
}
