import { signal } from "@preact/signals";
import { nextTime } from "duello";
import { useEffect, useState } from "preact/hooks";
import type { Chain } from "./chain.ts";

const SECOND = 1000;
/** Milliseconds between two reads of the chain's own time. */
const PAUSE = 15_000;
/** Milliseconds after which relative times are updated. */
const MINUTE = 60_000;

/** Time of the chain in seconds since 1970, as estimated by this machine: it ticks between two reads of the chain. */
export const gameNow = signal(secondsNow());

/** Seconds by which the chain's time is ahead of this machine's. */
let ahead = 0;

/** Follows the time of a chain. @returns a function that stops it */
export function chainTime({ provider }: Chain): () => void {
  const tick = () => (gameNow.value = secondsNow() + ahead);
  const look = async () => {
    try {
      ahead = Math.max(0, (await nextTime(provider)) - secondsNow());
      tick();
    } catch {
      // The clock runs on this machine's time until the node answers.
    }
  };
  void look();
  const [ticking, looking] = [setInterval(tick, SECOND), setInterval(() => void look(), PAUSE)];
  return () => {
    clearInterval(ticking);
    clearInterval(looking);
  };
}

/** Returns this machine's time in seconds since 1970, updated every minute. */
export function useMinute(): number {
  const [now, setNow] = useState(secondsNow);
  useEffect(() => {
    const timer = setInterval(() => setNow(secondsNow()), MINUTE);
    return () => clearInterval(timer);
  }, []);
  return now;
}

function secondsNow(): number {
  return Math.floor(Date.now() / SECOND);
}
