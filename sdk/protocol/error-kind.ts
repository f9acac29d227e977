/**
 * Returns whether an error is of a class, in this or another copy of the SDK: a listed game may contain its own copy.
 */
export function isKind<E extends Error>(thrown: unknown, kind: new (...args: never[]) => E): thrown is E {
  return thrown instanceof kind || (thrown instanceof Error && thrown.name === kind.name);
}
