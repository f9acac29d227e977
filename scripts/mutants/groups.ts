import type { RecordedTest } from "./session.js";

/** Numbers of tests that are tried together. */
const GROUPS = [5, 40];
/** Milliseconds that the tests of one mutant may have taken together without it: a survivor may be killed by a later test. */
const TOGETHER = 30_000;

/**
 * Returns the titles of the tests that reach a mutant, in groups: first quick ones that reach few mutants, as long as
 * they took at most `TOGETHER` milliseconds.
 */
export function groupsOf(tests: readonly RecordedTest[], mutant: number, together = TOGETHER): string[][] {
  const cost = ({ mutants, milliseconds }: RecordedTest) => (milliseconds + 1) * mutants.length;
  const reaching = tests
    .filter(({ mutants }) => mutants.includes(mutant))
    .sort((one, other) => cost(one) - cost(other));
  let sum = 0;
  const titles = reaching
    .filter(({ milliseconds }, i) => (sum += milliseconds) <= together || i === 0)
    .map(({ title }) => title);
  return [...GROUPS, Infinity].map((size) => titles.splice(0, size)).filter(({ length }) => length > 0);
}
