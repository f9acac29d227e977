import type { Provider } from "ethers";
import type { Addresses } from "./addresses.js";
import { ALL_TOPICS, decodeEvent, fits, type AnyEvent, type ChainEvent, type EventName, type Where } from "./events.js";
import { History, type OnProgress } from "./history.js";

/** Blocks asked for at once, at first: what public nodes give in one answer. */
const SPAN = 10_000;
/** Requests that are on their way at once. */
export const AT_ONCE = 100;

/** What was read of a chain. */
export interface Content {
  chainId: bigint;
  /** In the order of the chain. */
  events: readonly AnyEvent[];
  /** The last block that was read. */
  last: { number: number; hash: string };
  /** Times of blocks, as far as they are known, in seconds since 1970. */
  times?: Iterable<readonly [block: number, time: bigint]>;
}

/** All events of a deployment up to a block, in memory: read once, and every question is answered from there. */
export class Archive extends History {
  readonly last: Content["last"];
  readonly chainId: bigint;
  private readonly list: AnyEvent[] = [];
  /** By address and name, and behind these by the first value too. */
  private readonly index = new Map<string, AnyEvent[]>();
  private readonly times: Map<number, bigint>;

  constructor(provider: Provider, addresses: Addresses, { chainId, events, last, times }: Content) {
    super(provider, addresses);
    this.times = new Map(times);
    this.last = last;
    this.chainId = chainId;
    this.add(events);
  }

  /** In the order of the chain. */
  get all(): readonly AnyEvent[] {
    return this.list;
  }

  /** Adds events that come behind all others. */
  add(events: Iterable<AnyEvent>): void {
    for (const event of events) {
      this.list.push(event);
      const [first] = Object.values(event.args) as unknown[];
      for (const key of [keyOf(event.address, event.name), keyOf(event.address, event.name, first)]) {
        const indexed = this.index.get(key);
        if (indexed) indexed.push(event);
        else this.index.set(key, [event]);
      }
    }
  }

  /** Reads all events from a block on, which is that of the deployment or an earlier one. */
  static async read(
    provider: Provider,
    addresses: Addresses,
    fromBlock = 0,
    onProgress?: OnProgress,
  ): Promise<Archive> {
    const [{ chainId }, latest] = await Promise.all([provider.getNetwork(), provider.getBlock("latest")]);
    const { number, hash } = latest!;
    const address = Object.entries(addresses).flatMap(([name, each]) =>
      name === "FightToken" ? [] : [each as string],
    );
    const events: AnyEvent[] = [];
    let span = SPAN;
    for (let from = fromBlock; from <= number;) {
      const to = Math.min(number, from + span - 1);
      const filter = { address, topics: [[...ALL_TOPICS]], fromBlock: from, toBlock: to };
      const logs = await provider.getLogs(filter).catch((error: unknown) => {
        if (span === 1) throw error;
      });
      if (!logs) {
        span = Math.ceil(span / 10); // Some nodes give less at once.
        continue;
      }
      for (const log of logs) events.push(decodeEvent(log));
      from = to + 1;
      onProgress?.(from - fromBlock, number + 1 - fromBlock);
    }
    return new Archive(provider, addresses, { chainId, events, last: { number, hash: hash! } });
  }

  override async events<N extends EventName>(
    address: string,
    name: N,
    where: Where<N> = {},
    from = 0,
  ): Promise<ChainEvent<N>[]> {
    return this.find(address, name, where, from);
  }

  /** The same at once. */
  find<N extends EventName>(address: string, name: N, where: Where<N> = {}, from = 0): ChainEvent<N>[] {
    const [first] = this.index.get(keyOf(address, name)) ?? [];
    if (first === undefined) return [];
    const wanted = (where as Record<string, unknown>)[Object.keys(first.args)[0]];
    const list = this.index.get(keyOf(address, name, ...(isOne(wanted) ? [wanted] : []))) ?? [];
    return (list as unknown as ChainEvent<N>[]).filter((event) => event.block >= from && fits(event, where));
  }

  /** Reads the times of blocks. */
  async readTimes(blocks: Iterable<number>, onProgress?: OnProgress): Promise<void> {
    const missing = [...new Set(blocks)].filter((block) => !this.times.has(block));
    for (let i = 0; i < missing.length; i += AT_ONCE) {
      const some = missing.slice(i, i + AT_ONCE);
      const read = await Promise.all(some.map((block) => this.provider.getBlock(block)));
      for (const [k, block] of some.entries()) this.times.set(block, BigInt(read[k]!.timestamp));
      onProgress?.(i + some.length, missing.length);
    }
  }

  /** When a block was made, in seconds since 1970; undefined if that was not read. */
  timeOf(block: number): bigint | undefined {
    return this.times.get(block);
  }

  /** Whether the chain still has the last block that was read. */
  async isCurrent(): Promise<boolean> {
    return (await this.provider.getBlock(this.last.number))?.hash === this.last.hash;
  }

  protected override async chain(): Promise<bigint> {
    return this.chainId;
  }
}

function isOne(value: unknown): boolean {
  return value !== undefined && !Array.isArray(value);
}

function keyOf(...parts: unknown[]): string {
  return parts.map(String).join(" ");
}
