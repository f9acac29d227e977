import type { Provider } from "ethers";
import type { Hex } from "../protocol/hex.js";
import { termsHash, type Terms } from "../protocol/terms.js";
import type { Addresses } from "./addresses.js";
import { EventHistory } from "./event-history.js";
import { decodeEvent, fits, isDecisive, type AnyEvent, type ChainEvent, type EventName, type Where } from "./events.js";
import type { OnProgress } from "./history.js";
import { BATCH, hasBlock, latestBlock, logsOf, timesOf, type BlockId, type EventSource } from "./source.js";

/** The events of a deployment that were read of a chain. */
export interface Content {
  chainId: bigint;
  /** Events in the order of the chain. */
  events: readonly AnyEvent[];
  /** The last block that was read. */
  last: BlockId;
  /** Times of blocks, as far as they are known, in seconds since 1970. */
  times?: Iterable<readonly [block: number, time: bigint]>;
}

/** All events of a deployment up to a block, in memory: they are read once, and answer every question after that. */
export class Archive extends EventHistory implements EventSource {
  readonly last: BlockId;
  private readonly list: AnyEvent[] = [];
  /** Events by address and name, and by address, name and value of the first field. */
  private readonly index = new Map<string, AnyEvent[]>();
  private readonly known = new Map<Hex, Terms>();
  private readonly times: Map<number, bigint>;

  constructor(provider: Provider, addresses: Addresses, { chainId, events, last, times }: Content) {
    super(provider, addresses, chainId);
    this.times = new Map(times);
    this.last = last;
    this.add(events);
  }

  /** All events, in the order of the chain. */
  get all(): readonly AnyEvent[] {
    return this.list;
  }

  /** Adds events that come after all others. */
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

  /**
   * Reads all events up to the latest block.
   * @param fromBlock Block of the deployment, or an earlier one.
   * @param onProgress Called with the numbers of blocks that were read, and that are to be read.
   * @throws Outage or Refused if the node gives no more, MalformedEvent for a log that is none of the events.
   */
  static async read(
    provider: Provider,
    addresses: Addresses,
    fromBlock = 0,
    onProgress?: OnProgress,
  ): Promise<Archive> {
    const [{ chainId }, last] = await Promise.all([provider.getNetwork(), latestBlock(provider)]);
    const events: AnyEvent[] = [];
    for await (const { logs, to } of logsOf(provider, addresses, fromBlock, last.number)) {
      for (const log of logs) events.push(decodeEvent(log));
      onProgress?.(to + 1 - fromBlock, last.number + 1 - fromBlock);
    }
    return new Archive(provider, addresses, { chainId, events, last });
  }

  async *parts(): AsyncGenerator<readonly AnyEvent[]> {
    for (let i = 0; i < this.list.length; i += BATCH) yield this.list.slice(i, i + BATCH);
  }

  override async events<N extends EventName>(
    address: string,
    name: N,
    where: Where<N> = {},
    from = 0,
  ): Promise<ChainEvent<N>[]> {
    if (!isDecisive(name)) return super.events(address, name, where, from);
    return this.find(address, name, where, from);
  }

  /** Finds a contract's events of a name, oldest first, from block `from` on, like `events` but at once. */
  find<N extends EventName>(address: string, name: N, where: Where<N> = {}, from = 0): ChainEvent<N>[] {
    const [first] = this.index.get(keyOf(address, name)) ?? [];
    if (first === undefined) return [];
    const wanted = (where as Record<string, unknown>)[Object.keys(first.args)[0]];
    const isOne = wanted !== undefined && !Array.isArray(wanted);
    const list = this.index.get(isOne ? keyOf(address, name, wanted) : keyOf(address, name)) ?? [];
    return (list as unknown as ChainEvent<N>[]).filter((event) => event.block >= from && fits(event, where));
  }

  async readTimes(blocks: Iterable<number>): Promise<void> {
    const missing = [...new Set(blocks)].filter((block) => !this.times.has(block));
    for (const [block, time] of await timesOf(this.provider, missing)) this.times.set(block, time);
  }

  timeOf(block: number): bigint | undefined {
    return this.times.get(block);
  }

  /** Tells if the chain still has the last block that was read. */
  async isCurrent(): Promise<boolean> {
    return hasBlock(this.provider, this.last);
  }

  override async terms(hash: Hex): Promise<Terms> {
    if (!this.known.has(hash)) {
      for (const { args } of this.find(this.addresses.Arena, "TermsAdded")) {
        this.known.set(termsHash(args.terms), args.terms);
      }
    }
    const found = this.known.get(hash);
    if (!found) throw new Error(`The terms ${hash} were never added.`);
    return found;
  }

  protected override async about(matchId: bigint): Promise<readonly AnyEvent[]> {
    const { Arena } = this.addresses;
    const [created] = this.find(Arena, "Created", { matchId });
    if (!created) return [];
    const { game } = await this.terms(created.args.termsHash);
    const names = ["Funded", "Joined", "Acted", "Declined", "Settled"] as const;
    const later = names.flatMap((name): AnyEvent[] => this.find(Arena, name, { matchId }, created.block) as AnyEvent[]);
    return [created, ...later, ...this.find(game, "Log", { matchId }, created.block)];
  }

  protected override async ownedBy(player: string, token: string): Promise<bigint[]> {
    // An owner has got a token once more than it has given it away.
    const balances = new Map<bigint, number>();
    const count = (events: ChainEvent<"Transfer">[], step: number) => {
      for (const { args } of events) balances.set(args.id, (balances.get(args.id) ?? 0) + step);
    };
    count(this.find(token, "Transfer", { to: player }), 1);
    count(this.find(token, "Transfer", { from: player }), -1);
    const owned = [...balances].filter(([, balance]) => balance > 0).map(([id]) => id);
    return owned.sort((a, b) => (a < b ? -1 : 1));
  }
}

function keyOf(...parts: unknown[]): string {
  return parts.map(String).join(" ");
}
