import { useEffect, useRef, useState } from "preact/hooks";
import { keepSeen, seenSteps } from "../store/seen.ts";
import {
  advanced,
  begun,
  chose,
  firstRate,
  isSeen,
  isTimed,
  playsOn,
  RATES,
  skipped,
  stepOf,
  timeLeft,
  toggled,
  type Playback,
} from "./playback.ts";

interface Played {
  /** Milliseconds of each step at single speed. */
  times: readonly number[];
  isOver: boolean;
  /** Name under which the browser remembers the seen steps; undefined to remember nothing. */
  seenKey: string | undefined;
  /** Step in the page's address. */
  wanted: number | undefined;
  /** Called when the viewer has chosen a step; undefined for the last step. */
  onStep?: (step: number | undefined) => void;
}

/** Plays a match from the first step that the viewer has not seen. */
export function usePlayback({ times, isOver, seenKey, wanted, onStep }: Played) {
  const count = times.length;
  const [playback, setPlayback] = useState(() =>
    begun(seenKey === undefined ? undefined : seenSteps(seenKey), count, { isOver, wanted }),
  );
  const [chosenRate, setRate] = useState<number>();
  const isVisible = useVisible();
  const isReduced = prefersReducedMotion();
  const rate = chosenRate ?? (isReduced ? 1 : firstRate(times));

  const latest = useRef(playback);
  const set = (next: Playback) => {
    latest.current = next;
    setPlayback(next);
  };
  const change = (next: Playback) => {
    set(next);
    if (next.chosen !== playback.chosen) onStep?.(next.chosen);
  };
  const isFirst = useRef(true);
  useEffect(() => {
    if (!isFirst.current && wanted !== playback.chosen) set(chose(playback, wanted ?? count - 1, count));
    isFirst.current = false;
  }, [wanted]);
  useEffect(() => {
    if (seenKey !== undefined && count > 0) keepSeen(seenKey, Math.min(playback.seen, count));
  }, [seenKey, playback.seen, count]);
  const isRunning = isVisible && isTimed(playback, count);
  useEffect(() => {
    if (!isRunning) return undefined;
    const timer = setTimeout(
      () => {
        // This timer is cleared only after the next frame: until then, a choice of the viewer must not be overwritten.
        if (latest.current === playback) change(advanced(playback, count));
      },
      timeLeft(playback, times, { rate, isReduced }),
    );
    return () => clearTimeout(timer);
  }, [isRunning, playback, count, rate]);

  return {
    step: stepOf(playback, count),
    /** Number of steps that may be named without revealing the result. */
    known: isSeen(playback, count) ? count : Math.max(playback.seen, stepOf(playback, count)) + 1,
    /** True once all steps were shown. */
    isSeen: isSeen(playback, count),
    isPlaying: playsOn(playback, count),
    rate,
    choose: (to: number) => change(chose(playback, to, count)),
    skip: () => change(skipped(playback, count)),
    toggle: () => change(toggled(playback, count)),
    nextRate: () => setRate(RATES[(RATES.indexOf(rate) + 1) % RATES.length]),
  };
}

/** Returns whether the person wants no motion. */
export function prefersReducedMotion(): boolean {
  return matchMedia("(prefers-reduced-motion: reduce)").matches;
}

/** Returns whether the page is visible: nothing plays while nobody can see it. */
function useVisible(): boolean {
  const [isVisible, setVisible] = useState(!document.hidden);
  useEffect(() => {
    const onChange = () => setVisible(!document.hidden);
    document.addEventListener("visibilitychange", onChange);
    return () => document.removeEventListener("visibilitychange", onChange);
  }, []);
  return isVisible;
}
