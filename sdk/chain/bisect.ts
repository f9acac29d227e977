/**
 * Finds the first number for which a predicate holds, by bisection. The predicate must hold for all later numbers, too.
 * @param low First candidate.
 * @param high Last candidate, for which the predicate is assumed to hold.
 * @param holds Returns true if the predicate holds for a number.
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
