/** Channels whose states the searches visit. */
import type { Plan, Setup } from "./rules.js";

export type Channel = Omit<Setup, "number">;

export const round: Plan = { actions: 2, rated: false, stakes: [10, 5] };
export const marks: Plan = { ...round, actions: 3 };
export const longer: Plan = { ...round, actions: 4 };
export const rated: Plan = { ...round, rated: true };
/** Stakes that a player can pay only after it has won. */
export const doubled: Plan = { ...rated, stakes: [5, 10] };

export const PLAIN = { until: 3, clock: 1, batch: 2, races: false, closes: false };
export const RACES = { ...PLAIN, races: true };
export const CLOSES = { ...PLAIN, closes: true };
export const ALL = { ...RACES, closes: true };
/** Clocks that are longer than the time that the honest player keeps before an end. */
export const SLOW = { ...PLAIN, clock: 2 };
export const SHORT = { ...RACES, until: 2 };

export const one = (plan: Plan, how = PLAIN): Channel => ({ openings: [[plan]], ...how });
export const two = (first: Plan, second: Plan, how = PLAIN): Channel => ({ openings: [[first, second]], ...how });
/** A channel that opens twice, with one match each time. */
export const twice = (plan: Plan, how = PLAIN): Channel => ({ openings: [[plan], [plan]], ...how });

/** Channels of `npm test`. */
export const QUICK: Readonly<Record<string, Channel>> = {
  "a match with one round": one(round, ALL),
  "a match that the answering player ends": one(marks, ALL),
  "a match that the offering player ends": one(longer, RACES),
  "a rated match, then a match for stakes that the winner can pay, and races": two(rated, doubled, RACES),
  "a match of marks, then a match for stakes that the winner can pay": two({ ...marks, rated: true }, doubled),
  "a match with a long clock, and races": one(longer, { ...SLOW, races: true }),
  "two matches of marks in little time, and races": two(marks, marks, SHORT),
  "two openings": twice(round, { ...PLAIN, until: 2 }),
};

/** Additional channels of CI. */
export const MORE: Readonly<Record<string, Channel>> = {
  "two rounds in little time, and races": two(round, round, SHORT),
  "two rated rounds, and races": two(rated, rated, RACES),
  "two rounds, and closing": two(round, round, CLOSES),
};

/** Additional channels of `npm run explore`. */
export const LARGE: Readonly<Record<string, Channel>> = {
  "two matches of marks, closing and races": two(marks, marks, ALL),
  "two matches of marks with long clocks, and races": two(marks, marks, { ...SLOW, races: true }),
  "two rounds, closing and races": two(round, round, ALL),
  "three rounds": { ...PLAIN, openings: [[round, round, round]] },
  "three rounds, and races": { ...RACES, openings: [[round, round, round]] },
};
