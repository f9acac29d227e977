interface Entry<V> {
  readonly keys: readonly [first: string, second: string];
  readonly value: V;
}

/** A map by two keys, e.g. player and token, in the order of insertion. */
export class PairMap<V> {
  private readonly entries = new Map<string, Entry<V>>();

  get(first: string, second: string): V | undefined {
    return this.entries.get(keyOf(first, second))?.value;
  }

  set(first: string, second: string, value: V): void {
    this.entries.set(keyOf(first, second), { keys: [first, second], value });
  }

  /** Returns a list with an item for each entry. */
  map<T>(itemOf: (keys: readonly [first: string, second: string], value: V) => T): T[] {
    return Array.from(this.entries.values(), ({ keys, value }) => itemOf(keys, value));
  }
}

function keyOf(first: string, second: string): string {
  return `${first} ${second}`;
}
