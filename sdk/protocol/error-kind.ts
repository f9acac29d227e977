/**
 * Returns whether what was thrown is an error of a class, of this copy of the SDK or of another: a game of the user's own list may
 * bring one.
 */
export function isKind<E extends Error>(thrown: unknown, kind: new (...args: never[]) => E): thrown is E {
  return thrown instanceof kind || (thrown instanceof Error && thrown.name === kind.name);
}
