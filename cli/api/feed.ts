/** Maximum number of items that wait for a slow reader. */
const MAX_WAITING = 256;

/** Result of a wait for the next item: the item, or the end of the wait or of the feed. */
export type Next<T> = { item: T } | "late" | "over";

/** Items for any number of readers, each with a bounded queue. */
export class Feed<T> {
  private readonly readers = new Set<FeedReader<T>>();

  /** Adds a reader. @param first Items that it reads first. */
  open(first: readonly T[]): FeedReader<T> {
    const reader = new FeedReader(first, () => this.readers.delete(reader));
    this.readers.add(reader);
    return reader;
  }

  /** Adds an item for all readers. A reader that is too far behind is closed. */
  publish(item: T): void {
    for (const reader of this.readers) reader.add(item);
  }

  /** Ends the feed: readers get the items that wait for them, and no others. */
  end(): void {
    for (const reader of this.readers) reader.end();
  }
}

/** Reader of a feed. */
export class FeedReader<T> {
  private readonly waiting: T[];
  private isOver = false;
  private wake: () => void = () => undefined;

  constructor(
    first: readonly T[],
    private readonly onClose: () => void,
  ) {
    this.waiting = [...first];
  }

  /** Waits for the next item. @param waitMs Milliseconds to wait at most. */
  async next(waitMs: number): Promise<Next<T>> {
    if (this.waiting.length === 0 && !this.isOver) {
      let timer: NodeJS.Timeout | undefined;
      await new Promise<void>((resolve) => {
        this.wake = resolve;
        timer = setTimeout(resolve, waitMs);
      });
      clearTimeout(timer);
    }
    if (this.waiting.length > 0) return { item: this.waiting.shift()! };
    return this.isOver ? "over" : "late";
  }

  /** Adds an item; drops all items and closes the reader if too many wait. */
  add(item: T): void {
    if (this.waiting.length < MAX_WAITING) this.waiting.push(item);
    else this.close();
    this.wake();
  }

  end(): void {
    this.isOver = true;
    this.onClose();
    this.wake();
  }

  /** Drops all items, and ends. */
  close(): void {
    this.waiting.length = 0;
    this.end();
  }
}
