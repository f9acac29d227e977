import type { Provider } from "ethers";
import type { Addresses } from "./addresses.js";
import { NeverMinted, type CardStats, type FighterTraits } from "./characters.js";
import {
  ALL_TOPICS,
  decodeEvent,
  fits,
  isDecisive,
  type AnyEvent,
  type ChainEvent,
  type EventName,
  type Where,
} from "./events.js";
import { History, type OnProgress } from "./history.js";
import { LogReader, type Stretch } from "./logs.js";
import type { Hex } from "../protocol/hex.js";
import { termsHash, type Terms } from "../protocol/terms.js";

/** Blocks asked for at once, at most and at first: what public nodes give in one answer. */
const SPAN = { max: 10_000, first: 1_000 };
/** Logs that an answer is to have, about: however long a chain is, no more of it is held at once. */
const LOGS = 2_000;
/** Requests that are on their way at once. */
export const AT_ONCE = 100;

/** Events up to a block, from wherever they come. */
export interface Source {
  readonly provider: Provider;
  readonly addresses: Addresses;
  readonly chainId: bigint;
  /** The last block that is read. */
  readonly last: { number: number; hash: string };
  /** All events in the order of the chain, some at a time. */
  parts(): AsyncIterable<readonly AnyEvent[]>;
  /** Reads the times of blocks. */
  readTimes(blocks: Iterable<number>): Promise<void>;
  /** When a block was made, in seconds since 1970; undefined if that was not read. */
  timeOf(block: number): bigint | undefined;
}

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
export class Archive extends History implements Source {
  readonly last: Content["last"];
  readonly chainId: bigint;
  private readonly list: AnyEvent[] = [];
  /** By address and name, and behind these by the first value too. */
  private readonly index = new Map<string, AnyEvent[]>();
  private readonly known = new Map<Hex, Terms>();
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
    const [{ chainId }, last] = await Promise.all([provider.getNetwork(), latest(provider)]);
    const events: AnyEvent[] = [];
    for await (const { logs, to } of logsOf(provider, addresses, fromBlock, last.number)) {
      for (const log of logs) events.push(decodeEvent(log));
      onProgress?.(to + 1 - fromBlock, last.number + 1 - fromBlock);
    }
    return new Archive(provider, addresses, { chainId, events, last });
  }

  async *parts(): AsyncGenerator<readonly AnyEvent[]> {
    for (let i = 0; i < this.list.length; i += LOGS) yield this.list.slice(i, i + LOGS);
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

  /** The same at once. */
  find<N extends EventName>(address: string, name: N, where: Where<N> = {}, from = 0): ChainEvent<N>[] {
    const [first] = this.index.get(keyOf(address, name)) ?? [];
    if (first === undefined) return [];
    const wanted = (where as Record<string, unknown>)[Object.keys(first.args)[0]];
    const list = this.index.get(keyOf(address, name, ...(isOne(wanted) ? [wanted] : []))) ?? [];
    return (list as unknown as ChainEvent<N>[]).filter((event) => event.block >= from && fits(event, where));
  }

  async readTimes(blocks: Iterable<number>): Promise<void> {
    const missing = [...new Set(blocks)].filter((block) => !this.times.has(block));
    for (const [block, time] of await timesOf(this.provider, missing)) this.times.set(block, time);
  }

  timeOf(block: number): bigint | undefined {
    return this.times.get(block);
  }

  /** Whether the chain still has the last block that was read. */
  async isCurrent(): Promise<boolean> {
    return (await this.provider.getBlock(this.last.number))?.hash === this.last.hash;
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

  override async mode(game: string, mode: Hex): Promise<Hex> {
    const [registered] = this.find(game, "ModeRegistered", { mode });
    if (!registered) throw new Error(`The mode ${mode} was never registered with the game ${game}.`);
    return registered.args.content;
  }

  override async fighter(id: bigint): Promise<FighterTraits> {
    const [minted] = this.find(this.addresses.Fighters, "FighterMinted", { id });
    if (!minted) throw new NeverMinted("fighter", id);
    const { character, tiers, golden } = minted.args;
    return { character, tiers: tiers.map(Number), golden };
  }

  override async card(id: bigint): Promise<CardStats> {
    const [minted] = this.find(this.addresses.GuardianCards, "CardMinted", { id });
    if (!minted) throw new NeverMinted("card", id);
    const [power, defense, hp, speed, critical, luck, type] = Object.values(minted.args.stats).map(Number);
    return { power, defense, hp, speed, critical, luck, type };
  }

  protected override async about(matchId: bigint): Promise<readonly AnyEvent[]> {
    const { Arena } = this.addresses;
    const [created] = this.find(Arena, "Created", { matchId });
    if (!created) return [];
    const { game } = await this.terms(created.args.termsHash);
    const names = ["Funded", "Joined", "Acted", "Settled"] as const;
    const told = names.flatMap((name): AnyEvent[] => this.find(Arena, name, { matchId }, created.block) as AnyEvent[]);
    return [created, ...told, ...this.find(game, "Log", { matchId }, created.block)];
  }

  /** Whoever got a token once more than it gave it away has it. */
  protected override async ownedBy(player: string, token: string): Promise<bigint[]> {
    const times = new Map<bigint, number>();
    const count = (events: ChainEvent<"Transfer">[], step: number) => {
      for (const { args } of events) times.set(args.id, (times.get(args.id) ?? 0) + step);
    };
    count(this.find(token, "Transfer", { to: player }), 1);
    count(this.find(token, "Transfer", { from: player }), -1);
    const owned = [...times].filter(([, balance]) => balance > 0).map(([id]) => id);
    return owned.sort((a, b) => (a < b ? -1 : 1));
  }

  protected override async chain(): Promise<bigint> {
    return this.chainId;
  }
}

/** The latest block. */
export async function latest(provider: Provider): Promise<Source["last"]> {
  const block = await provider.getBlock("latest");
  if (!block) throw new Error("The node has no latest block.");
  return { number: block.number, hash: block.hash! };
}

/**
 * The logs of a deployment's contracts in the order of the chain, some blocks at a time.
 * @param unchecked Whether they come as the node gives them.
 */
export async function* logsOf(
  provider: Provider,
  addresses: Addresses,
  fromBlock: number,
  last: number,
  unchecked = false,
): AsyncGenerator<Stretch> {
  const address = Object.entries(addresses).flatMap(([name, each]) => (name === "FightToken" ? [] : [each as string]));
  const filter = { address, topics: [ALL_TOPICS], unchecked };
  let span = SPAN.first;
  for (let from = fromBlock; from <= last;) {
    const to = Math.min(last, from + span - 1);
    let count = 0;
    for await (const stretch of LogReader.of(provider).forward(filter, from, to)) {
      count += stretch.logs.length;
      yield stretch;
    }
    from = to + 1;
    span = Math.max(1, Math.min(SPAN.max, 2 * span, Math.floor((span * LOGS) / (count + 1))));
  }
}

/** When blocks were made, in seconds since 1970. */
export async function timesOf(provider: Provider, blocks: readonly number[]): Promise<Map<number, bigint>> {
  const times = new Map<number, bigint>();
  for (let i = 0; i < blocks.length; i += AT_ONCE) {
    const some = blocks.slice(i, i + AT_ONCE);
    const read = await Promise.all(some.map((block) => provider.getBlock(block)));
    for (const [k, block] of some.entries()) {
      if (!read[k]) throw new Error(`The node has no block ${block}.`);
      times.set(block, BigInt(read[k].timestamp));
    }
  }
  return times;
}

function isOne(value: unknown): boolean {
  return value !== undefined && !Array.isArray(value);
}

function keyOf(...parts: unknown[]): string {
  return parts.map(String).join(" ");
}
