import { reasonOf } from "../../chain/trouble.js";
import { unlessAborted, type Clock } from "../../chain/waiting.js";
import { MAX_MATCH_BYTES, messageText, type AwayMessage, type AwayMove } from "../../protocol/away/messages.js";
import { oneLine } from "../../protocol/input.js";
import type { Transport } from "./transport.js";

/** Answers of a transport that are read at once, at most. */
const MAX_ANSWERS = 64;

/** Messages that nobody has signed, and losses of all messages, after which a transport is read no more. */
const MAX_REFUSED = 64;
const MAX_LOSSES = 8;

/** Milliseconds for which a transport that has not answered in time is left alone, while others are read. */
const REST_MS = 30_000;

/** Transport, and what came on it. */
class Link {
  seen = 0;
  /** Returns whether all that the transport has was read once. */
  isRead = false;
  /** Errors of the last reading, and of the last handing over. */
  readonly troubles: { read?: string; put?: string } = {};
  /** Messages that came and are not dealt with yet, by their text. */
  readonly waiting = new Map<string, AwayMessage>();
  /** Texts of all messages that came. */
  readonly came = new Set<string>();
  /** Moves that came, by nonce and record: either player may sign one by another key as well. */
  private readonly moves = new Set<string>();
  /** Number of messages that were refused. */
  refused = 0;
  /** Time of the clock until which it is left alone. */
  restsUntil = 0;
  private losses = 0;
  private bytes = 0;

  constructor(readonly transport: Transport) {}

  /** Reads an answer. @returns false if there is no more now. */
  async read(waitMs: number, signal: AbortSignal): Promise<boolean> {
    // To check what it sends takes time, which the own clock on chain may not have.
    if (this.refused > MAX_REFUSED) throw new Error("it sends what no player has signed, and is read no more");
    if (this.losses > MAX_LOSSES) throw new Error("it loses its messages again and again, and is read no more");
    const { messages, seen } = await unlessAborted(this.transport.after(this.seen, { waitMs, signal }), signal);
    if (seen < this.seen) {
      this.losses++;
      this.restart();
    }
    const isNew = seen !== this.seen;
    this.seen = seen;
    for (const message of messages) this.take(message);
    return isNew && messages.length > 0;
  }

  /** Begins to read again. */
  restart(): void {
    this.seen = 0;
    this.bytes = 0;
    this.came.clear();
    this.moves.clear();
    this.waiting.clear();
  }

  /** Returns whether the transport has a message, or a move to the same state. */
  has(message: AwayMessage): boolean {
    return this.came.has(messageText(message)) || (message.type === "move" && this.moves.has(placeOf(message)));
  }

  private take(message: AwayMessage): void {
    const text = messageText(message);
    this.bytes += text.length;
    if (this.bytes > MAX_MATCH_BYTES) throw new Error(`it sends more than ${MAX_MATCH_BYTES} bytes`);
    if (this.came.has(text)) return;
    this.came.add(text);
    if (message.type === "move") this.moves.add(placeOf(message));
    this.waiting.set(text, message);
  }
}

/** Transports of a match, none of which is trusted: one honest one is enough. */
export class Links {
  private readonly links: readonly Link[];

  constructor(
    transports: readonly Transport[],
    private readonly clock: Clock,
  ) {
    this.links = transports.map((transport) => new Link(transport));
  }

  /** Transports that are asked now: those that rest only where all do, so that one that stalls costs no time at each step. */
  private get awake(): readonly Link[] {
    const awake = this.links.filter(({ restsUntil }) => restsUntil <= this.clock.now());
    return awake.length > 0 ? awake : this.links;
  }

  /** Returns whether there are no transports, or one of them has been read to its end. */
  get isRead(): boolean {
    return this.links.length === 0 || this.links.some(({ isRead }) => isRead);
  }

  /** Sentences about transports that fail. */
  get troubles(): string[] {
    return this.links.flatMap(({ troubles: { read, put } }) => read ?? put ?? []);
  }

  /** Messages that came and are not dealt with yet, each once. */
  get waiting(): AwayMessage[] {
    const all = new Map<string, AwayMessage>();
    for (const { waiting } of this.links) for (const [text, message] of waiting) all.set(text, message);
    return [...all.values()];
  }

  /** Notes that a message is dealt with. */
  done(message: AwayMessage): void {
    for (const { waiting } of this.links) waiting.delete(messageText(message));
  }

  /** Returns whether a message is still to be dealt with: it may have come on a transport that is read no more. */
  isWaiting(message: AwayMessage): boolean {
    const text = messageText(message);
    return this.links.some(({ waiting }) => waiting.has(text));
  }

  /** Notes that a message is dealt with, and counts for nothing. */
  refuse(message: AwayMessage): void {
    const text = messageText(message);
    for (const link of this.links) {
      if (!link.waiting.delete(text)) continue;
      // The rest would take time to check, too.
      if (++link.refused > MAX_REFUSED) link.waiting.clear();
    }
  }

  /** Begins to read all transports again, as what was refused may count now. */
  restart(): void {
    for (const link of this.links) {
      link.refused = 0;
      link.restart();
    }
  }

  /**
   * Reads all transports.
   * @param waitMs Milliseconds to wait for news.
   * @param limitMs Milliseconds after which a transport that stalls is left alone.
   * @throws the reason of the signal
   */
  async read(waitMs: number, limitMs: number, signal?: AbortSignal): Promise<void> {
    const stop = new AbortController();
    const end = signal ? AbortSignal.any([signal, stop.signal]) : stop.signal;
    let onNews!: () => void;
    const news = new Promise<void>((resolve) => (onNews = resolve));
    const reads = Promise.all(
      this.awake.map((link) =>
        this.tried(link, "read", waitMs + limitMs, end, async () => {
          if (await readAll(link, waitMs, end)) onNews();
        }),
      ),
    );
    // Whoever waits for news waits as long as it said, also where all transports fail at once.
    const waited = waitMs > 0 ? this.clock.pause(waitMs, end).catch(() => undefined) : undefined;
    await Promise.race([waitMs > 0 ? news : reads, Promise.all([reads, waited])]);
    stop.abort();
    await reads;
    signal?.throwIfAborted();
  }

  /**
   * Hands messages over to all transports that have not given them back.
   * @param limitMs Milliseconds after which a transport that stalls is left alone.
   */
  async spread(messages: readonly AwayMessage[], limitMs: number): Promise<void> {
    const stop = new AbortController();
    const put = async (link: Link) => {
      for (const message of messages) {
        if (!link.has(message)) await unlessAborted(link.transport.put(message), stop.signal);
      }
    };
    await Promise.all(this.awake.map((link) => this.tried(link, "put", limitMs, stop.signal, () => put(link))));
    stop.abort();
  }

  /** Does something with a link, and keeps what went wrong. */
  private async tried(
    link: Link,
    what: "read" | "put",
    limitMs: number,
    end: AbortSignal,
    action: () => Promise<void>,
  ): Promise<void> {
    const over = new AbortController();
    const late = this.clock.pause(limitMs, over.signal).then(() => {
      link.restsUntil = this.clock.now() + REST_MS;
      throw new Error("it does not answer in time");
    });
    try {
      await Promise.race([action(), late]);
      link.troubles[what] = undefined;
    } catch (error) {
      if (end.aborted) return;
      const { name } = link.transport;
      const reason = reasonOf(error);
      link.troubles[what] = oneLine(reason.includes(name) ? reason : `${name}: ${reason}`);
    } finally {
      late.catch(() => undefined);
      over.abort();
    }
  }
}

function placeOf({ nonce, record }: AwayMove): string {
  return `${nonce} ${record}`;
}

/** Reads a link to its end. @returns true if anything came. */
async function readAll(link: Link, waitMs: number, end: AbortSignal): Promise<boolean> {
  for (let answers = 0; answers < MAX_ANSWERS; answers++) {
    if (await link.read(answers === 0 ? waitMs : 0, end)) continue;
    link.isRead = true;
    return answers > 0;
  }
  return true;
}
