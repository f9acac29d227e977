/** A test with the time that it took without a mutant. */
interface Timed {
  title: string;
  milliseconds: number;
}

/**
 * Returns the titles of tests in groups that are tried one after the other, as long as the tests took at most `together`
 * milliseconds; but at least the first one.
 * @param sizes Numbers of tests in the groups; the last group has all others.
 */
export function grouped(tests: readonly Timed[], sizes: readonly number[], together: number): string[][] {
  let sum = 0;
  const titles = tests
    .filter(({ milliseconds }, i) => (sum += milliseconds) <= together || i === 0)
    .map(({ title }) => title);
  return [...sizes, Infinity].map((size) => titles.splice(0, size)).filter(({ length }) => length > 0);
}

/** Returns a function that adds a number to each key that it has already returned. */
export function numbering(): (key: string) => string {
  const counts = new Map<string, number>();
  return (key) => {
    const count = (counts.get(key) ?? 0) + 1;
    counts.set(key, count);
    return count > 1 ? `${key} #${count}` : key;
  };
}
