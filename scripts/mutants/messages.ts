/** Number of a mutant: its place in a build, or what the instrumenter calls it. */
export type MutantId = number | string;

/** A test that succeeds without a mutant. */
export interface RecordedTest {
  /** Full title. */
  title: string;
  /** Time that it takes alone, with the hooks before all tests of its suites. */
  milliseconds: number;
  /** Mutants that it reaches. */
  mutants: MutantId[];
}

export type Request =
  | { type: "load" }
  /** Runs a suite without a mutant. */
  | { type: "record"; suite: number }
  /** Tries a mutant with groups of tests, given by their titles, until one fails. */
  | { type: "try"; mutant: MutantId; groups: readonly (readonly string[])[] }
  /** Runs a test without a mutant. */
  | { type: "check"; title: string };

export type Answer =
  /** @param atLoad Mutants that are reached while the tests are loaded. */
  | { type: "loaded"; suites: number; atLoad: MutantId[] }
  | { type: "recorded"; tests: RecordedTest[]; failed: string[] }
  /**
   * After a test that has failed, the process is reliable only if the same test succeeds without the mutant: a test may
   * have kept something that it computed with an earlier mutant.
   */
  | { type: "tried"; killer?: string; isReliable: boolean }
  | { type: "checked"; succeeds: boolean };

/** Message of a process before each test. */
export interface Progress {
  type: "running";
  title: string;
}
