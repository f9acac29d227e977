/**
 * Finds the first number for which something holds, by bisection. It must hold for all numbers after the first such.
 * @param low First number that may be it.
 * @param high Last number that may be it; for this one it is taken to hold without asking.
 * @param holds True if it holds for a number.
 */
export async function firstWhere(
  low: number,
  high: number,
  holds: (number: number) => Promise<boolean>,
): Promise<number> {
  let [first, last] = [low, high];
  while (first < last) {
    const middle = Math.floor((first + last) / 2);
    if (await holds(middle)) last = middle;
    else first = middle + 1;
  }
  return last;
}
