/** How time passes; tests have one of their own. */
export interface Clock {
  /** Milliseconds since some moment. */
  now(): number;
  pause(milliseconds: number): Promise<void>;
  /** 0 or more, below 1: those who wait must not all come back at once. */
  random(): number;
}

/** The machine's time. */
export const machineClock: Clock = {
  now: () => Date.now(),
  pause: (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds)),
  random: () => Math.random(),
};

/** What is asked in vain so often, some 50 s by the waits below, is given up. */
export const MAX_TRIES = 12;

/** Milliseconds that anybody who asks for patience gets, at most. */
export const MAX_WAIT = 60_000;

const FIRST_WAIT = 100;
const LONGEST_STEP = 10_000;

/** Milliseconds to wait behind the try of a number, which counts from 0. */
export function backoff(tries: number, { random }: Clock): number {
  const max = Math.min(FIRST_WAIT * 2 ** tries, LONGEST_STEP);
  return (max + random() * max) / 2;
}
