/** Source of time. Tests use their own clocks. */
export interface Clock {
  /** Returns milliseconds since an arbitrary moment. */
  now(): number;
  /** @param signal Ends the pause, which then throws the signal's reason. */
  pause(milliseconds: number, signal?: AbortSignal): Promise<void>;
  /** Returns a number from 0 to 1, without 1, so that not all waiting clients retry at the same time. */
  random(): number;
}

/** Clock of the machine. */
export const machineClock: Clock = {
  now: () => Date.now(),
  pause: async (milliseconds, signal) => {
    let timer: ReturnType<typeof setTimeout>;
    const over = new Promise<void>((resolve) => (timer = setTimeout(resolve, milliseconds)));
    return unlessAborted(over, signal).finally(() => clearTimeout(timer));
  },
  random: () => Math.random(),
};

/** Maximum tries of a request: about 50 s with the waits of `backoff`. */
export const MAX_TRIES = 12;

/** Maximum milliseconds of a wait that a node may request. */
export const MAX_WAIT = 60_000;

const FIRST_WAIT = 100;
const LONGEST_STEP = 10_000;

/** Returns the milliseconds to wait after a try. @param tries Number of the try, from 0. */
export function backoff(tries: number, { random }: Clock): number {
  const max = Math.min(FIRST_WAIT * 2 ** tries, LONGEST_STEP);
  return (max + random() * max) / 2;
}

/** Returns the result of a promise, unless a signal comes first. @throws the reason of the signal */
export async function unlessAborted<T>(promise: Promise<T>, signal?: AbortSignal): Promise<T> {
  if (!signal) return promise;
  let abort!: () => void;
  const aborted = new Promise<never>((_, reject) => {
    abort = () => reject(signal.reason as Error);
    if (signal.aborted) abort();
    else signal.addEventListener("abort", abort);
  });
  return Promise.race([promise, aborted]).finally(() => signal.removeEventListener("abort", abort));
}
