import type { Log, Provider } from "ethers";
import type { Hex } from "../protocol/hex.js";
import { InputError } from "../protocol/input.js";
import { termsHash, type Terms } from "../protocol/terms.js";
import type { Addresses } from "./addresses.js";
import { termsUnder, type ChannelMatchEvents } from "./channel-record.js";
import { channelEvents, channelsOf } from "./channels.js";
import type { CharacterContract } from "./character-contract.js";
import type { Content } from "./content.js";
import { EventHistory } from "./event-history.js";
import {
  decodeEvent,
  fits,
  inOrder,
  isDecisive,
  type AnyEvent,
  type ChainEvent,
  type EventName,
  type Where,
} from "./events.js";
import { HeadWatch } from "./heads.js";
import type { ReadManner } from "./logs.js";
import type { ReadOptions } from "./history.js";
import { readContent, savedContent, type SavedArchive } from "./saved.js";
import { BATCH, hashOf, latestBlock, logsOf, timesOf, type BlockId, type EventSource } from "./source.js";
import { BlockTrail } from "./trail.js";
import { isOutage, LaggingNode, reasonOf, troubleOf } from "./trouble.js";
import { backoff, machineClock, unlessAborted, type Clock } from "./waiting.js";

/**
 * Number of consecutive reads that must show a shorter chain before the archive accepts it, since one of several nodes
 * behind a URL may lag.
 */
const LOOKS_AT_SHORTER = 3;
const PAUSE = 4000;

/** Options of following a chain. */
export interface FollowOptions extends Pick<ReadManner, "onTrouble"> {
  /** Milliseconds between two polls of the chain; defaults to 4000. A WebSocket also reports new blocks. */
  pause?: number;
  /** Ends the iteration: the iterator then throws the signal's reason. */
  signal?: AbortSignal;
  /** Called when a node that had failed answers all requests again, even if there is nothing new. */
  onRecovery?: () => void;
  clock?: Clock;
}

/** A step of an archive that follows its chain. */
export interface ArchiveUpdate {
  /** The current archive: the same as before, or another one if blocks were undone. */
  archive: Archive;
  /** New events, in the order of the chain. */
  added: readonly AnyEvent[];
  /** Events that a reorganisation has undone, in the order of the chain; some may be added again later. */
  undone: readonly AnyEvent[];
  /** True if the chain was restarted: it has another genesis block, and all earlier data is gone. */
  isRestarted: boolean;
  /** Number of the latest block. If the archive's last block is earlier, more events remain to be read. */
  head: number;
}

/**
 * All events of a deployment up to a block, in memory. They are read once, and every later query is answered from
 * memory. An archive may grow, but never loses events: if blocks are undone, another archive replaces it.
 * @example
 * ```ts
 * import { Archive } from "duello";
 *
 * const archive = await Archive.read(provider, addresses, 1);
 * const created = archive.find(addresses.Arena, "Created", { player1: alice });
 * for await (const { added, undone } of archive.follow()) {
 *   console.log(`${added.length} new events, ${undone.length} undone`);
 * }
 * ```
 */
export class Archive extends EventHistory implements EventSource {
  private lastRead: BlockId;
  private readonly list: AnyEvent[] = [];
  /** Events by address and name, and by address, name and value of the first field. */
  private readonly index = new Map<string, AnyEvent[]>();
  private readonly known = new Map<Hex, Terms>();
  private readonly times: Map<number, bigint>;
  private readonly trail: BlockTrail;
  private readonly start: number;
  private readonly genesis?: string;
  /** True for an excerpt with a single match, without earlier events. */
  readonly isExcerpt: boolean;

  constructor(provider: Provider, addresses: Addresses, content: Content) {
    const { chainId, events, last, times, fromBlock = 0, genesis, blocks = [], isExcerpt = false } = content;
    super(provider, addresses, chainId);
    this.times = new Map(times);
    this.lastRead = last;
    [this.start, this.genesis, this.isExcerpt] = [fromBlock, genesis, isExcerpt];
    this.trail = new BlockTrail([...blocks]);
    if (last.hash !== "") this.trail.add(last, false);
    this.add(events);
  }

  /** The last block that was read. */
  get last(): BlockId {
    return this.lastRead;
  }

  /** The last block that was read: an archive is always a snapshot as of that block. */
  override get pinned(): BlockId {
    return this.lastRead;
  }

  /** All events, in the order of the chain. */
  get all(): readonly AnyEvent[] {
    return this.list;
  }

  /** Adds events that come after all others. */
  add(events: Iterable<AnyEvent>): void {
    for (const event of events) {
      this.list.push(event);
      const [first, second] = Object.values(event.args) as unknown[];
      const keys = [keyOf(event.address, event.name), keyOf(event.address, event.name, first)];
      // Queries look for these events by channel and by match.
      if (event.name === "Played" || event.name === "Challenged") keys.push(keyOf(event.address, event.name, second));
      for (const key of keys) {
        const indexed = this.index.get(key);
        if (indexed) indexed.push(event);
        else this.index.set(key, [event]);
      }
    }
  }

  /**
   * Reads all events up to the latest block.
   * @param fromBlock Block of the deployment, or an earlier one.
   * @throws Outage or Refused if the node stops answering, MalformedEvent for a log that is unknown or malformed.
   */
  static async read(
    provider: Provider,
    addresses: Addresses,
    fromBlock = 0,
    { onProgress, signal, onTrouble }: ReadOptions & Pick<ReadManner, "onTrouble"> = {},
  ): Promise<Archive> {
    const about = Promise.all([provider.getNetwork(), hashOf(provider, 0)]);
    const [{ chainId }, genesis] = await unlessAborted(about, signal);
    const last = { number: fromBlock - 1, hash: "" };
    let archive = new Archive(provider, addresses, { chainId, genesis, fromBlock, events: [], last });
    for (let isWhole = false; !isWhole;) {
      for await (const update of archive.steps({ signal, onTrouble })) {
        archive = update.archive;
        isWhole = archive.last.number === update.head;
        onProgress?.(archive.last.number + 1 - fromBlock, update.head + 1 - fromBlock);
      }
    }
    return archive;
  }

  /**
   * Makes an archive from the result of `save`.
   * @throws InputError for other data, and for an archive of another version, chain or deployment.
   */
  static async load(provider: Provider, addresses: Addresses, saved: unknown): Promise<Archive> {
    const content = readContent(saved, addresses);
    const [{ chainId }, genesis] = await Promise.all([provider.getNetwork(), hashOf(provider, 0)]);
    if (content.chainId !== chainId) {
      throw new InputError("archive.chainId", `${content.chainId} is not that of the node, ${chainId}`);
    }
    if (content.genesis !== genesis) {
      throw new InputError("archive.genesis", "the chain has another first block: it was restarted");
    }
    return new Archive(provider, addresses, content);
  }

  /** Returns all data in JSON form, for `load`. @throws Error for an archive that was not read from a node. */
  save(): SavedArchive {
    return savedContent(this.content, this.addresses);
  }

  /**
   * Follows the chain endlessly from the last block. Yields the events of new blocks, and those that a reorganisation
   * has undone. If the node fails, waits and retries.
   * @throws the reason of the signal; Refused or MalformedEvent for a node that returns only invalid data.
   */
  async *follow(options: FollowOptions = {}): AsyncGenerator<ArchiveUpdate, never> {
    const { pause = PAUSE, signal, onRecovery, clock = machineClock } = options;
    let isTroubled = false;
    const onTrouble = (reason: string, wait: number) => {
      isTroubled = true;
      options.onTrouble?.(reason, wait);
    };
    const watch = new HeadWatch(this.provider, pause, clock, signal);
    let [failures, behind] = [0, 0];
    try {
      for (let [archive]: [Archive] = [this]; ;) {
        signal?.throwIfAborted();
        try {
          let isWhole = true;
          for await (const update of archive.steps({ signal, onTrouble, isSure: behind >= LOOKS_AT_SHORTER })) {
            archive = update.archive;
            isWhole = archive.last.number === update.head;
            yield update;
          }
          [failures, behind] = [0, 0];
          if (isTroubled) onRecovery?.();
          isTroubled = false;
          if (isWhole) await watch.next();
        } catch (error) {
          signal?.throwIfAborted();
          if (!isOutage(error) && !troubleOf(error)) throw error;
          behind = error instanceof LaggingNode ? behind + 1 : 0;
          const wait = error instanceof LaggingNode ? pause : backoff(failures++, clock);
          onTrouble(reasonOf(error), wait);
          await clock.pause(wait, signal);
        }
      }
    } finally {
      watch.end();
    }
  }

  /**
   * Reads new events, some blocks at a time, or removes the events that the chain no longer has.
   * @param isSure True to accept a shorter chain.
   */
  private async *steps({
    signal,
    onTrouble,
    isSure,
  }: Pick<ReadManner, "signal" | "onTrouble"> & { isSure?: boolean }): AsyncGenerator<ArchiveUpdate> {
    const { provider, addresses } = this;
    const head = await unlessAborted(latestBlock(provider), signal);
    const { number, hash } = this.last;
    if (head.number === number && head.hash === hash) return;
    const nothing = { archive: this, added: [], undone: [], isRestarted: false, head: head.number };
    if (head.number <= number && hash === "") {
      // The chain does not reach the first requested block.
      this.grow([], head);
      yield nothing;
      return;
    }
    if (head.number <= number) {
      yield await unlessAborted(this.rolledBack(head.number, isSure), signal);
      return;
    }
    for await (const { logs, to } of logsOf(provider, addresses, number + 1, head.number, { signal, onTrouble })) {
      const { last } = this;
      const before = last.hash === "" ? "" : hashOf(provider, last.number);
      const [now, end] = await unlessAborted(Promise.all([before, hashOf(provider, to)]), signal);
      if (now !== last.hash) {
        yield await unlessAborted(this.rolledBack(head.number, true), signal);
        return;
      }
      // Blocks that were replaced while they were read are read again.
      if (to === head.number && end !== head.hash) return;
      if (logs.some((log) => log.blockNumber === to && log.blockHash !== end)) return;
      yield { ...nothing, added: this.grow(logs, { number: to, hash: end }) };
    }
  }

  /** Adds the events of the blocks up to `last`. */
  private grow(logs: readonly Log[], last: BlockId): AnyEvent[] {
    const events = logs.map(decodeEvent);
    for (const { blockNumber, blockHash } of logs) this.trail.add({ number: blockNumber, hash: blockHash }, true);
    this.trail.add(last, false);
    this.lastRead = last;
    this.add(events);
    return events;
  }

  /** Creates an archive with the events up to the last block that the chain still has. */
  private async rolledBack(head: number, isSure = false): Promise<ArchiveUpdate> {
    const { provider, addresses, chainId, start } = this;
    const genesis = await hashOf(provider, 0);
    const isRestarted = this.genesis !== undefined && genesis !== this.genesis;
    if (head < this.last.number && !isRestarted && !isSure) throw new LaggingNode(head, this.last.number);
    const isOnChain = async ({ number, hash }: BlockId) => (await hashOf(provider, number)) === hash;
    const common = isRestarted ? undefined : await this.trail.lastOnChain(head, isOnChain);
    const last = common ?? { number: start - 1, hash: "" };
    const first = this.list.findIndex(({ block }) => block > last.number);
    const kept = first < 0 ? this.list.length : first;
    const archive = new Archive(provider, addresses, {
      chainId,
      genesis,
      fromBlock: start,
      events: this.list.slice(0, kept),
      blocks: this.trail.eventful.filter(({ number }) => number <= last.number),
      last,
      times: [...this.times].filter(([block]) => block <= last.number),
    });
    return { archive, added: [], undone: this.list.slice(kept), isRestarted, head };
  }

  private get content(): Content {
    const { chainId, genesis, start, last, list, trail, times } = this;
    return { chainId, genesis, fromBlock: start, last, events: list, blocks: trail.eventful, times };
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

  /** Finds a contract's events with a given name from block `from` on, oldest first. Like `events`, but synchronous. */
  find<N extends EventName>(address: string, name: N, where: Where<N> = {}, from = 0): ChainEvent<N>[] {
    const [first] = this.index.get(keyOf(address, name)) ?? [];
    if (first === undefined) return [];
    const given = where as Record<string, unknown>;
    const wanted =
      given[Object.keys(first.args)[0]] ?? (channelEvents.includes(name as never) ? given["matchId"] : undefined);
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

  protected override async aboutChannelMatch(matchId: bigint): Promise<ChannelMatchEvents | undefined> {
    const { Arena, ...others } = this.addresses;
    const channels = channelsOf(Arena);
    const brought = [
      ...this.find(channels, "Challenged", { matchId }),
      ...this.find(channels, "Played", { matchId }),
    ] as ChainEvent<"Played">[];
    const last = brought.toSorted(inOrder).at(-1);
    if (!last) return undefined;
    const { channelId } = last.args;
    const opened = this.find(channels, "Opened", { channelId })[0].args;
    const started = this.find(Arena, "Started", { matchId }).at(-1);
    const under = this.find(channels, "PlayedUnder", { channelId }).findLast((event) => inOrder(event, last) < 0);
    const terms =
      (last.name as EventName) === "Challenged"
        ? this.find(Arena, "TermsAdded", { termsId: started!.args.termsId })[0].args.terms
        : termsUnder(under!.args, opened);
    const names = ["Started", "Acted", "Voided", "Settled"] as const;
    const events = [
      ...brought,
      ...names.flatMap((name) => this.find(Arena, name, { matchId }) as ChainEvent[]),
      ...Object.values<string>(others).flatMap((game) => this.find(game, "Log", { matchId })),
    ] as AnyEvent[];
    return { opened, terms, events: events.sort(inOrder) };
  }

  override async ownedBy(player: string, { contract }: CharacterContract): Promise<bigint[]> {
    const token = this.addresses[contract];
    // The owner of a token has received the token one time more than it has sent it.
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
