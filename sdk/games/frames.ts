import type { History } from "../chain/history.js";
import type { MatchRecord } from "../chain/record.js";
import type { Frame, FrameResult, GameModule, Viewer } from "./module.js";

/** Frame without the match's result, which is added to the last frame. */
export type Step<F extends Frame> = Omit<F, "result">;

/** Draws the steps of a match, whose record has the logs of its replay. */
type Draw<F extends Frame> = (
  record: MatchRecord,
  history: History,
  viewer?: Viewer,
) => readonly Step<F>[] | Promise<readonly Step<F>[]>;

/**
 * Makes `frames` of a module, which draws the logs of the replay, not those of the record.
 * @throws like `replay` and `draw`, from the function that it makes.
 * @example
 * ```ts
 * import { replayedFrames, stockGame } from "duello";
 *
 * const { replay } = stockGame("tic-tac-toe");
 * const frames = replayedFrames(replay, ({ logs }) => logs.map(({ round }) => ({ text: `Mark ${round}.` })));
 * (await frames(record, archive)).length; // => 5
 * ```
 */
export function replayedFrames<F extends Frame = Frame>(replay: GameModule["replay"], draw: Draw<F>) {
  return async (record: MatchRecord, history: History, viewer?: Viewer): Promise<F[]> => {
    const { logs, result } = await replay(record, history);
    const steps = await draw({ ...record, logs }, history, viewer);
    const end: FrameResult | null = result ? { winner: Number(result.winner), taker: Number(result.taker) } : null;
    return steps.map((step, i) => ({ ...step, result: i === steps.length - 1 ? end : null }) as F);
  };
}

/** Converts a value to JSON, with big integers as text. */
export function jsonValue(value: unknown): unknown {
  const text = JSON.stringify(value, (_, each: unknown) => (typeof each === "bigint" ? String(each) : each));
  return text === undefined ? null : (JSON.parse(text) as unknown);
}

/** Joins the lines of a story, each as a sentence, into the text of one frame. */
export function frameText(lines: readonly string[]): string {
  return lines.map((line) => line.trim().replace(/^[a-z]/, (letter) => letter.toUpperCase())).join(". ");
}

/** Returns a text unchanged, without colours. */
export function unpainted(text: string): string {
  return text;
}
