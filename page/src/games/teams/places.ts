/** Place on the stage, in percent from its left and from its top, at which a character has its feet. */
export interface Point {
  readonly x: number;
  readonly y: number;
}

/** Distance of the two columns of a side from its edge; slots with an even index are in front. */
const [FRONT, BACK] = [25, 11];
/** Height of the last slot, and of the first slot of a large and of a small team. */
const [LAST, FIRST_OF_MANY, FIRST_OF_FEW] = [91, 38, 50];
const MANY = 4;

/** Returns where a slot of a team stands: in two staggered columns, the first slot at the back. */
export function pointOf(slot: number, size: number, isLeft: boolean): Point {
  const first = size < MANY ? FIRST_OF_FEW : FIRST_OF_MANY;
  const y = size === 1 ? (first + LAST) / 2 : first + ((LAST - first) * slot) / (size - 1);
  const x = slot % 2 === 0 ? FRONT : BACK;
  return { x: isLeft ? x : 100 - x, y };
}
