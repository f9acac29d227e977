/**
 * Returns whether an error is of a class, from this copy of the SDK or another: a listed game may contain its own copy.
 */
export function isKind<E extends Error>(thrown: unknown, kind: new (...args: never[]) => E): thrown is E {
  return thrown instanceof kind || (thrown instanceof Error && thrown.name === kind.name);
}
