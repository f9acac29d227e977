/** Milliseconds after which a fight starts at double speed. */
const LONG = 20_000;
/** Milliseconds for which a step is shown if its view gives no time. */
const STEP_TIME = 900;

/** Speeds of the playback, in the order in which a button goes through them. */
export const RATES = [1, 2, 4];

/** State of a match that is shown step by step. */
export interface Playback {
  /** Number of steps that were seen, from the first one on. */
  readonly seen: number;
  /**
   * Step that the viewer has chosen. Undefined while the match plays by itself: the first unseen step is shown, and at
   * the end the last step.
   */
  readonly chosen?: number;
  /** True while the match plays on from the chosen step. */
  readonly isPlaying: boolean;
}

/**
 * Begins to show a match.
 * @param kept Steps that were seen before; undefined for a match that was never opened.
 * @param wanted Step in the page's address.
 */
export function begun(
  kept: number | undefined,
  count: number,
  { isOver, wanted }: { readonly isOver: boolean; readonly wanted?: number },
): Playback {
  // The players of a match in play must see its current state.
  const before = { seen: kept ?? (isOver ? 0 : count), isPlaying: false };
  if (wanted === undefined) return before;
  return wanted < count - 1 ? { ...before, chosen: wanted } : chose(before, wanted, count);
}

/** Returns the step that is shown. */
export function stepOf({ seen, chosen }: Playback, count: number): number {
  return Math.max(0, Math.min(chosen ?? seen, count - 1));
}

/** Returns whether every step was shown. */
export function isSeen({ seen }: Playback, count: number): boolean {
  return seen >= count;
}

/** Returns whether further steps follow without an action of the viewer. */
export function playsOn(playback: Playback, count: number): boolean {
  return stepOf(playback, count) < count - 1 && (playback.chosen === undefined || playback.isPlaying);
}

/** Returns whether the current step ends by itself. The last step does too, so that the result can follow it. */
export function isTimed(playback: Playback, count: number): boolean {
  return playsOn(playback, count) || (playback.chosen === undefined && !isSeen(playback, count));
}

/** Returns the playback once the time of the current step has ended. */
export function advanced(playback: Playback, count: number): Playback {
  const next = stepOf(playback, count) + 1;
  const seen = Math.max(playback.seen, next);
  const goesOn = playback.chosen !== undefined && next < count - 1;
  return goesOn ? { seen, chosen: next, isPlaying: true } : { seen, isPlaying: false };
}

/** Goes to a step and stops there. Earlier steps count as seen; the last step counts as seen after its time. */
export function chose(playback: Playback, to: number, count: number): Playback {
  const step = Math.max(0, Math.min(to, count - 1));
  const seen = Math.max(playback.seen, step);
  return { seen, chosen: step < count - 1 ? step : undefined, isPlaying: false };
}

/** Goes to the end at once. */
export function skipped({ seen }: Playback, count: number): Playback {
  return { seen: Math.max(seen, count), isPlaying: false };
}

/** Pauses, or plays on; at the last step, plays again from the start. */
export function toggled(playback: Playback, count: number): Playback {
  const step = stepOf(playback, count);
  if (playsOn(playback, count)) return { ...playback, chosen: step, isPlaying: false };
  return { ...playback, chosen: step < count - 1 ? step : 0, isPlaying: true };
}

/** Returns the milliseconds of each step at single speed. @param timeOf Time that the view of the game gives. */
export function timesOf<F>(frames: readonly F[], timeOf?: (frame: F) => number): number[] {
  return frames.map((frame) => timeOf?.(frame) ?? STEP_TIME);
}

/** Returns the speed at which a match starts to play. */
export function firstRate(times: readonly number[]): number {
  return times.reduce((sum, each) => sum + each, 0) > LONG ? 2 : 1;
}

/**
 * Returns the milliseconds until the current step ends. Without motion, steps change at a steady pace, and the result
 * follows the last step immediately.
 */
export function timeLeft(
  playback: Playback,
  times: readonly number[],
  { rate, isReduced }: { readonly rate: number; readonly isReduced: boolean },
): number {
  const step = stepOf(playback, times.length);
  if (!isReduced) return times[step] / rate;
  return step === times.length - 1 ? 0 : STEP_TIME / rate;
}
