import { reasonOf, type Frame, type GameModule, type History, type MatchRecord, type Viewer } from "duello";
import type { GameView } from "../games/game.ts";

/** Last step of a match without a scene, with lines of text instead. */
interface ToldFrame extends Frame {
  readonly lines: readonly string[];
}

/**
 * Lists the steps of a match. Without a scene, the last step has the state of the match in lines; in a game without
 * steps that is the only step, and also has the story.
 * @param viewer Player who looks at one of the player's own matches.
 */
export async function framesOf(
  module: GameModule,
  view: GameView,
  record: MatchRecord,
  history: History,
  viewer?: Viewer,
): Promise<readonly Frame[]> {
  if (module.frames && view.Scene) return module.frames(record, history, viewer);
  const state = await stateOf(module, record, history, viewer);
  if (!module.frames) {
    const [{ result }, story] = await Promise.all([
      module.replay(record, history),
      module.story(record, history, (text) => text),
    ]);
    const end = result ? { winner: Number(result.winner), taker: Number(result.taker) } : null;
    return told([{ text: "", result: end }], [...story, ...state]);
  }
  return told(await module.frames(record, history, viewer), state);
}

/** Adds lines to the last step. */
function told(frames: readonly Frame[], lines: readonly string[]): (Frame | ToldFrame)[] {
  return frames.map((frame, i) => (i === frames.length - 1 ? { ...frame, lines } : frame));
}

/** Lists the lines of a step without a scene. */
export function linesOf(frame: Frame | undefined): readonly string[] {
  return (frame as Partial<ToldFrame> | undefined)?.lines ?? [];
}

/** Describes a match in play. */
async function stateOf(module: GameModule, record: MatchRecord, history: History, viewer?: Viewer): Promise<string[]> {
  if (!module.view || record.settlement || record.joinData === undefined) return [];
  // A player whose secrets are elsewhere sees a note about that, and the rest of the match.
  return module.view(record, history, (text) => text, viewer).catch((error: unknown) => [reasonOf(error)]);
}

/**
 * Returns steps with their sentences for the viewer, which name the other player.
 * @param names Names of both players; the viewer's is "You".
 */
export function toldFrames(
  frames: readonly Frame[],
  { sentence }: Pick<GameView, "sentence">,
  viewer: 0 | 1 | 2,
  names: readonly [string, string],
): readonly Frame[] {
  // A sentence of a game is in the third person.
  const named = names.map((name, side) => (side + 1 === viewer ? "Your side" : name));
  return frames.map((frame) => ({
    ...frame,
    text:
      sentence?.({ frame, viewer, names }) ??
      frame.text.replaceAll("Player 1", named[0]).replaceAll("Player 2", named[1]),
  }));
}
