/** Thrown for what is refused now, and may be asked for again in a second. */
export class Busy extends Error {
  override readonly name = "Busy";
}
