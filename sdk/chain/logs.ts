import { isError, type Filter, type Log, type Provider } from "ethers";
import { LaggingNode, Outage, reasonOf, troubleOf } from "./trouble.js";
import { backoff, machineClock, MAX_TRIES, MAX_WAIT, unlessAborted, type Clock } from "./waiting.js";

/** Maximum blocks per request; most public nodes allow that many. */
const MAX_SPAN = 10_000;
/** Blocks of the first request, if the number of logs matters. */
const FIRST_SPAN = 1_000;
/** Maximum number of successful answers before the reader tries a larger request on a limited node. */
const MAX_STREAK = 64;

/** Options of a read of logs. */
export interface ReadManner {
  /** True if the node is known to have the last requested block, so that its head need not be read. */
  isHeld?: boolean;
  /** Aborts the read, which then throws the signal's reason. */
  signal?: AbortSignal;
  /** Called when the node fails, with the reason in one line, and with the milliseconds until the next try. */
  onTrouble?: (reason: string, wait: number) => void;
}

/** Requested logs. */
export interface LogFilter extends ReadManner {
  /** Addresses of the contracts. */
  address: string | readonly string[];
  /** Topic at each position: one topic, any of several, or null for any topic. */
  topics: readonly (null | string | readonly string[])[];
  /** True to pass on logs unchecked, to a caller that checks more than the reader does. */
  unchecked?: boolean;
}

/** Logs of some blocks, in the order of the chain. */
export interface Stretch {
  /** First block. */
  from: number;
  /** Last block. */
  to: number;
  logs: readonly Log[];
}

/**
 * Thrown if a node does not even return the logs of a single block.
 * @example
 * ```ts
 * import { Archive, Refused } from "duello";
 *
 * const archive = await Archive.read(provider, addresses).catch((error: unknown) => {
 *   if (error instanceof Refused) console.error("Use another node: this one returns no logs.");
 *   throw error;
 * });
 * ```
 */
export class Refused extends Error {
  override readonly name = "Refused";
}

/** Readers by provider: each remembers the span that its node allows. */
const readers = new WeakMap<Provider, LogReader>();

/**
 * Reads logs from any node. The span of blocks per request shrinks to what the node allows, and grows again. The reader
 * waits while the node is overloaded. The next read starts with the last span.
 * @example
 * ```ts
 * import { LogReader, topicsFor } from "duello";
 *
 * const filter = { address: addresses.Arena, topics: topicsFor("Created", {}) };
 * for await (const { logs } of LogReader.of(provider).forward(filter, 1, 50_000)) {
 *   console.log(logs.length);
 * }
 * ```
 */
export class LogReader {
  private max = MAX_SPAN;
  private good = 0;
  private streakNeeded = 1;
  private isTrial = false;
  private isRefused = false;

  constructor(
    private readonly provider: Provider,
    private readonly clock: Clock = machineClock,
  ) {}

  /** Returns the reader of a provider. */
  static of(provider: Provider): LogReader {
    const reader = readers.get(provider) ?? new LogReader(provider);
    readers.set(provider, reader);
    return reader;
  }

  /** Current number of blocks per request, as learnt so far. */
  get span(): number {
    return this.max;
  }

  /**
   * Reads the logs of some blocks, span by span from the first block on.
   * @param batch Approximate number of logs per stretch; by default, only the node limits the stretches.
   * @throws Outage or Refused if the node stops answering.
   */
  async *forward(filter: LogFilter, first: number, last: number, batch = Infinity): AsyncGenerator<Stretch> {
    let span = batch === Infinity ? MAX_SPAN : FIRST_SPAN;
    for (let from = first; from <= last;) {
      const stretch = await this.read(filter, from, Math.min(last, from + span - 1), last);
      yield stretch;
      from = stretch.to + 1;
      const read = from - stretch.from;
      const fitting = Math.floor((read * batch) / (stretch.logs.length + 1));
      span = Math.max(1, Math.min(MAX_SPAN, 2 * span, fitting));
    }
  }

  /** Reads the logs of some blocks backwards, span by span from the last block. @throws like `forward`. */
  async *backward(filter: LogFilter, first: number, last: number): AsyncGenerator<Stretch> {
    for (let to = last; to >= first;) {
      const stretch = await this.read(filter, first, to, last, true);
      yield stretch;
      to = stretch.from - 1;
    }
  }

  /**
   * Reads as many logs as the node returns in one answer, from the first block or, going backwards, from the last one.
   * @param newest A block that the node must have. A lagging node would return no logs for that block, without an
   * error.
   */
  private async read(filter: LogFilter, first: number, last: number, newest: number, isBack = false): Promise<Stretch> {
    const { signal } = filter;
    for (let tries = 1; ;) {
      signal?.throwIfAborted();
      const span = Math.min(this.max, last - first + 1);
      const [from, to] = isBack ? [last - span + 1, last] : [first, first + span - 1];
      const asked = { address: [filter.address].flat(), topics: plain(filter.topics), fromBlock: from, toBlock: to };
      const answer = this.ask(asked, to === newest && !filter.isHeld);
      const [logs, error] = await unlessAborted(answer, signal).then(
        (given) => [given, undefined] as const,
        (thrown: unknown) => [undefined, thrown] as const,
      );
      if (logs) {
        this.grow(span);
        return { from, to, logs: checked(logs, filter, from, to) };
      }
      signal?.throwIfAborted();
      if (error instanceof Outage || (isGarbled(error) && span === 1)) throw error;
      if (isGarbled(error)) {
        this.shrink(span);
        continue;
      }
      const trouble = troubleOf(error, span);
      if (trouble === undefined || trouble.kind === "limit") {
        if (span === 1) return { from, to, logs: await this.inParts(filter, from, error) };
        this.shrink(span, trouble?.blocks);
        continue;
      }
      // A node that times out may answer a request for fewer blocks. Some nodes do not even report that they timed out.
      if (trouble.kind === "timeout" || (trouble.kind === "silence" && tries > 1)) this.shrink(span);
      await this.wait(tries++, error, trouble.kind === "rate" ? trouble.after : undefined, filter);
    }
  }

  private async ask(filter: Filter & { toBlock: number }, isNewest: boolean): Promise<Log[]> {
    const [logs, head] = await Promise.all([
      this.provider.getLogs(filter),
      isNewest ? this.provider.getBlockNumber() : Infinity,
    ]);
    if (head < filter.toBlock) throw new LaggingNode(head, filter.toBlock);
    return logs;
  }

  /** Reads a single block that has too many logs for the node, with one request for each part of the filter. */
  private async inParts(filter: LogFilter, block: number, refusal: unknown): Promise<Log[]> {
    const parts = halves(filter);
    if (!parts) throw new Refused(`The node refuses the logs of one single block, ${block}: ${reasonOf(refusal)}`);
    const read = [];
    for (const part of parts) read.push((await this.read(part, block, block, Infinity)).logs);
    return read.flat().sort(inOrder);
  }

  private async wait(
    tries: number,
    error: unknown,
    after: number | undefined,
    { signal, onTrouble }: ReadManner,
  ): Promise<void> {
    const reason = reasonOf(error);
    if (tries >= MAX_TRIES) throw new Outage(`The node does not answer: ${reason}`);
    if (after !== undefined && after > MAX_WAIT) {
      throw new Outage(`The node wants to be asked again in ${Math.ceil(after / 1000)} s only: ${reason}`);
    }
    const wait = after ?? backoff(tries, this.clock);
    onTrouble?.(reason, wait);
    await this.clock.pause(wait, signal);
  }

  /** @param told Number of blocks that the node seems to allow; ignored if the node refuses this number, too. */
  private shrink(span: number, told?: number): void {
    const half = Math.floor(span / 2);
    this.max = Math.max(1, this.isRefused ? half : (told ?? half));
    if (this.isTrial) this.streakNeeded = Math.min(2 * this.streakNeeded, MAX_STREAK);
    [this.good, this.isTrial, this.isRefused] = [0, false, true];
  }

  private grow(span: number): void {
    this.isRefused = false;
    if (span < this.max || this.max >= MAX_SPAN) return;
    if (this.isTrial) this.streakNeeded = Math.max(1, this.streakNeeded / 2);
    this.isTrial = ++this.good >= this.streakNeeded;
    if (!this.isTrial) return;
    this.max = Math.min(2 * this.max, MAX_SPAN);
    this.good = 0;
  }
}

/**
 * Returns whether a node has answered with an invalid log. A retry does not help, but requests for fewer blocks narrow
 * down where the log is.
 */
function isGarbled(error: unknown): boolean {
  return isError(error, "BAD_DATA") && error.shortMessage.startsWith("invalid value for");
}

/** Splits a filter in two, if it contains several addresses or topics. */
function halves({ address, topics, ...rest }: LogFilter): LogFilter[] | undefined {
  const lists = [address, ...topics];
  const at = lists.findIndex((list) => Array.isArray(list) && list.length > 1);
  if (at < 0) return undefined;
  const list = lists[at] as readonly string[];
  const middle = Math.ceil(list.length / 2);
  return [list.slice(0, middle), list.slice(middle)].map((half) =>
    at === 0 ? { ...rest, address: half, topics } : { ...rest, address, topics: topics.with(at - 1, half) },
  );
}

/**
 * Sorts logs in the order of the chain.
 * @throws Error for logs that were not requested, and for duplicates.
 */
function checked(logs: Log[], { address, topics, unchecked }: LogFilter, from: number, to: number): Log[] {
  if (unchecked) return logs;
  const addresses = [address].flat().map((each) => each.toLowerCase());
  const isAsked = (log: Log) =>
    log.blockNumber >= from &&
    log.blockNumber <= to &&
    addresses.includes(log.address.toLowerCase()) &&
    topics.every((wanted, i) => wanted === null || [wanted].flat().includes(log.topics[i]));
  const sorted = [...logs].sort(inOrder);
  const odd = sorted.find((log, i) => !isAsked(log) || (i > 0 && inOrder(sorted[i - 1], log) === 0));
  if (odd) throw new Error(`The node answers with a log of block ${odd.blockNumber} that was not asked for.`);
  return sorted;
}

function inOrder(one: Log, other: Log): number {
  return one.blockNumber - other.blockNumber || one.index - other.index;
}

/** Converts topics to the form of ethers. */
function plain(topics: LogFilter["topics"]): (null | string | string[])[] {
  return topics.map((topic) => (typeof topic === "object" && topic !== null ? [...topic] : topic));
}
