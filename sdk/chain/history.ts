import { keccak256, type Provider } from "ethers";
import { Game__factory, type Arena } from "../../typechain-types/index.js";
import type { Addresses } from "./addresses.js";
import { arenaAt, type ArenaMatch } from "./arena.js";
import { channelRecordFrom, type ChannelMatchEvents } from "./channel-record.js";
import { searchChannelMatch } from "./channel-search.js";
import { isFromChannel } from "./channels.js";
import type { CharacterContract } from "./character-contract.js";
import { inPlaceOf, NeverMinted, readCharacter } from "./characters.js";
import {
  decodeEvent,
  topicsFor,
  type AnyEvent,
  type ChainEvent,
  type EventName,
  type Events,
  type Where,
} from "./events.js";
import { LogReader, type LogFilter, type Stretch } from "./logs.js";
import { ownedBy } from "./owned.js";
import { factsOf } from "./match-facts.js";
import type { MatchRecord } from "./record.js";
import type { Hex } from "../protocol/hex.js";
import { isBegun, MatchSearch } from "./search.js";
import { hasBlock, latestBlock, type BlockId } from "./source.js";
import { readTerms } from "./terms.js";
import { unlessAborted } from "./waiting.js";
import { integer } from "../protocol/input.js";
import { Seat } from "../protocol/status.js";
import { termsHash, type Terms } from "../protocol/terms.js";

/** Called with the number of finished parts of a task, and the number of all its parts. */
export type OnProgress = (done: number, wanted: number) => void;

/** Options of a read. */
export interface ReadOptions {
  /** Called with the number of blocks read so far, and the number that may have to be read. */
  onProgress?: OnProgress;
  /** Aborts the read, which then throws the signal's reason. */
  signal?: AbortSignal;
}

/** Options of a read of matches. */
export interface MatchOptions extends ReadOptions {
  /** Block from which to read, if the match is known not to be older; defaults to the deployment's block. */
  fromBlock?: number;
  /** The match as the caller has just read it from the arena, which saves another read. */
  read?: Pick<ArenaMatch, "termsId"> | { terms: Terms };
}

/** The block at which a snapshot ends. */
interface Pin extends Omit<MatchOptions, "read"> {
  latest: BlockId;
  /** True if the node is known to have the logs of that block. */
  isHeld: boolean;
}

/** Query for actions in past matches. */
export interface PastQuery {
  player: string;
  /** Address of the game. */
  game: string;
  /** Hashes of the modes' contents, as in terms. */
  modes: readonly Hex[];
  /** Maximum number of matches; the latest ones are used. */
  max: number;
}

/** Actions in past matches of a player. */
export interface PastActions {
  /** Numbers of the matches that the player has joined; the player has offered the others. */
  joined: ReadonlySet<bigint>;
  /** Actions of both players, oldest first. */
  actions: readonly Events["Acted"][];
}

/** Maximum number of blocks, from the latest backwards, and of requests, for finding past matches. */
const MAX_BLOCKS = 50_000;
const MAX_REQUESTS = 5;
/** Maximum number of a player's latest joined matches whose terms are read. */
const MAX_JOINED = 500;

/** Maximum number of matches whose events are cached. */
const REMEMBERED = 1000;

/**
 * Thrown for a mode that was never registered with its game.
 * @example
 * ```ts
 * import { UnregisteredMode } from "duello";
 *
 * const content = await history.mode(addresses.TicTacToe, salt).catch((error: unknown) => {
 *   if (error instanceof UnregisteredMode) return undefined; // nobody has registered the mode
 *   throw error;
 * });
 * ```
 */
export class UnregisteredMode extends Error {
  override readonly name = "UnregisteredMode";

  constructor(
    readonly mode: Hex,
    readonly game: string,
  ) {
    super(`The mode ${mode} was never registered with the game ${game}.`);
  }
}

/** Events of a match that were read. */
export interface Past {
  /** Address of the game. */
  game: string;
  events: readonly AnyEvent[];
  /** The last block that was read. */
  last: BlockId;
}

/**
 * History of a deployment: matches and players, from events. Contracts are called for immutable data if that is
 * quicker; terms and modes are checked against their hashes.
 * @example
 * ```ts
 * import { History, stockGame } from "duello";
 *
 * const history = new History(provider, addresses, 1);
 * const { player1, settlement } = await history.match(7n);
 * const fighters = await history.ownedBy(alice, stockGame("auto-battler").characters!);
 * ```
 */
export class History {
  private readonly blocks = { reads: 0, read: 0, wanted: 0 };
  protected readonly pasts = new Map<bigint, Past>();
  // Terms and modes are verified by their hashes, so a reorganisation cannot change them.
  private readonly termsByHash = new Map<Hex, Terms>();
  /** Contents of modes, by game and hash. */
  private readonly modes = new Map<string, Hex>();
  private contract?: Arena;
  private readonly pin?: Pin;

  /**
   * @param fromBlock Block of the deployment, or an earlier one.
   * @param onProgress Called with the number of blocks read so far, and the number that may have to be read.
   */
  constructor(
    readonly provider: Provider,
    readonly addresses: Addresses,
    private readonly fromBlock = 0,
    private readonly onProgress?: OnProgress,
  ) {}

  /**
   * Returns a snapshot of this history as of the latest block, which is requested once: all reads of the snapshot end
   * at that block. The snapshot shares the cache of this history.
   * @param options Default options of the snapshot's reads.
   */
  async snapshot(options: Omit<MatchOptions, "read"> = {}): Promise<History> {
    const latest = await unlessAborted(latestBlock(this.provider), options.signal);
    const pin: Pin = { ...options, latest, isHeld: false };
    return Object.create(this, { pin: { value: pin } }) as History;
  }

  /** The block of a snapshot; undefined for any other history. */
  get pinned(): BlockId | undefined {
    return this.pin?.latest;
  }

  /**
   * Reads the record of a match, without the logs of a game outside the deployment, which may contain anything.
   * @throws Error if there is no such match, InputError for a first block that the chain does not have, Outage or
   * Refused if the node stops answering.
   */
  async match(matchId: bigint, options: MatchOptions = {}): Promise<MatchRecord> {
    if (isFromChannel(matchId)) return this.channelMatch(matchId, options);
    const events = await this.about(matchId, options);
    const of = <N extends EventName>(name: N) => events.filter((event) => event.name === name) as ChainEvent<N>[];
    const facts = factsOf(events);
    if (!facts) throw new Error(`There is no match ${matchId}${this.fromText(options)}.`);
    const { player1, player2, isTaken, termsHash: hash, settlement } = facts;
    const [[created], [joined], [declined]] = [of("Created"), of("Joined"), of("Declined")];
    const seats = of("Funded").map(({ args: { seat, player } }) => ({ seat, player }));
    if (created.args.funded) seats.unshift({ seat: Seat.One, player: player1 });
    // Joining in one step requires funding as well.
    if (joined && seats.length === 1) seats.push({ seat: Seat.Two, player: joined.args.player2 });
    return {
      chainId: await this.chain(),
      matchId,
      terms: await this.terms(hash),
      player1,
      player2: isTaken ? player2 : undefined,
      funded: seats,
      createData: created.args.data,
      joinData: joined?.args.data,
      actions: of("Acted").map(({ args: { seat, data } }) => ({ seat, data })),
      logs: of("Log").map(({ args: { round, logEntries } }) => ({ round, entries: logEntries })),
      declinedBy: declined?.args.opponent,
      settlement,
    };
  }

  /** Finds the block in which a match ended; undefined if it is not over. @throws like `match` */
  async endOf(matchId: bigint, options: MatchOptions = {}): Promise<number | undefined> {
    const events = isFromChannel(matchId)
      ? ((await this.aboutChannelMatch(matchId, options))?.events ?? [])
      : await this.about(matchId, options);
    return events.find(({ name }) => name === "Settled" || name === "Played")?.block;
  }

  /**
   * Reads the actions of a player and the opponents in the player's latest matches of a game, oldest first, as far back
   * as a few requests reach.
   */
  async pastActions(query: PastQuery): Promise<PastActions> {
    const { player, max } = query;
    const { Arena } = this.addresses;
    const reach = Math.min(MAX_BLOCKS, MAX_REQUESTS * this.reader.span);
    const first = Math.max(0, (await this.provider.getBlockNumber()) - reach);
    const [offered, joined] = await Promise.all([
      this.events(Arena, "Created", { player1: player }, first),
      this.events(Arena, "Joined", { player2: player }, first),
    ]);
    const latest = joined.slice(-MAX_JOINED).map(({ args }) => args.matchId);
    const taken = latest.length === 0 ? [] : await this.events(Arena, "Created", { matchId: latest }, first);
    const matches = await this.ofModes([...offered, ...taken], query);
    // An empty filter would request all actions.
    if (matches.length === 0) return { joined: new Set(), actions: [] };
    const ids = matches.map(({ args }) => args.matchId).sort((a, b) => (a < b ? -1 : 1));
    const acted = await this.events(Arena, "Acted", { matchId: ids.slice(-max) }, first);
    return { joined: new Set(latest), actions: acted.map(({ args }) => args) };
  }

  /** Reads the terms with a given hash. @throws Error if they were never added. */
  async terms(hash: Hex): Promise<Terms> {
    const known = this.termsByHash.get(hash);
    if (known) return known;
    const termsId = await this.arena.termsIdOf(hash);
    if (termsId === 0n) throw new Error(`The terms ${hash} were never added.`);
    const terms = requireHash(hash, termsHash, await readTerms(this.arena, termsId));
    this.termsByHash.set(hash, terms);
    return terms;
  }

  /** Finds the characters of a contract that a player owns, in order of their ids. */
  async ownedBy(player: string, kind: CharacterContract, options: ReadOptions = {}): Promise<bigint[]> {
    const { provider, fromBlock } = this;
    const token = this.addresses[kind.contract];
    const exists = async (id: bigint) => {
      const minted = await readCharacter(provider, token, kind, id).catch((error: unknown) => error);
      if (minted instanceof Error && !(minted instanceof NeverMinted)) throw minted;
      return !(minted instanceof NeverMinted);
    };
    const { signal = this.pin?.signal } = options;
    const last = this.pin?.latest.number ?? (await unlessAborted(provider.getBlockNumber(), signal));
    const manner = { signal, isHeld: this.holds(last) };
    return this.metered(last + 1 - fromBlock, options, (onStretch) =>
      ownedBy(player, { provider, token, blocks: [fromBlock, last], exists, onStretch, manner }),
    );
  }

  /** Finds the operators that a player has ever approved for all its tokens of a contract, revoked ones included. */
  async operatorsOf(player: string, token: string, options?: ReadOptions): Promise<string[]> {
    const events = await this.events(token, "ApprovalForAll", { owner: player }, undefined, options);
    return [...new Set(events.map(({ args }) => args.operator))];
  }

  /** Reads the content of a mode by its hash. @throws UnregisteredMode if it was never registered. */
  async mode(game: string, mode: Hex): Promise<Hex> {
    const key = `${game} ${mode}`;
    const known = this.modes.get(key);
    if (known !== undefined) return known;
    const contract = Game__factory.connect(game, this.provider);
    const never = inPlaceOf("UnknownMode", contract.interface, new UnregisteredMode(mode, game));
    const content = requireHash(mode, keccak256, await contract.modeOf(mode).catch(never));
    this.modes.set(key, content);
    return content;
  }

  /** Stores the content of a mode that is not registered yet. */
  learnMode(game: string, content: Hex): void {
    this.modes.set(`${game} ${keccak256(content)}`, content);
  }

  /** Reads the traits of a character. @throws NeverMinted */
  async character<T extends object>(kind: CharacterContract<T>, id: bigint): Promise<T> {
    return kind.traitsOf(await this.characterNumbers(kind, id));
  }

  /** Reads the traits of characters, in the order of `ids`. @throws NeverMinted */
  async characters<T extends object>(kind: CharacterContract<T>, ids: readonly bigint[]): Promise<T[]> {
    return Promise.all(ids.map((id) => this.character(kind, id)));
  }

  /** Reads the traits of a character as numbers. @throws NeverMinted */
  async characterNumbers(kind: CharacterContract, id: bigint): Promise<number[]> {
    return readCharacter(this.provider, this.addresses[kind.contract], kind, id);
  }

  /**
   * Reads a contract's events with a given name, oldest first.
   * @param first First block; defaults to the deployment's block.
   * @throws Outage or Refused if the node stops answering.
   */
  async events<N extends EventName>(
    address: string,
    name: N,
    where: Where<N> = {},
    first = this.fromBlock,
    options?: ReadOptions,
  ): Promise<ChainEvent<N>[]> {
    const filter = { address, topics: topicsFor(name, where) };
    return (await this.told(filter, first, undefined, options)) as unknown as ChainEvent<N>[];
  }

  /**
   * Reads events of any names, oldest first.
   * @param first First block; defaults to the deployment's block.
   * @param until Last block; defaults to the latest.
   * @throws Outage or Refused if the node stops answering, MalformedEvent for a log that is unknown or malformed.
   */
  async told(
    filter: LogFilter,
    first = this.fromBlock,
    until?: number,
    options: ReadOptions = {},
  ): Promise<AnyEvent[]> {
    const { signal = this.pin?.signal } = options;
    const last = until ?? this.pin?.latest.number ?? (await unlessAborted(this.provider.getBlockNumber(), signal));
    const isHeld = this.holds(last);
    const found = await this.metered(last + 1 - first, options, async (onStretch) => {
      const events: AnyEvent[] = [];
      for await (const stretch of this.reader.forward({ ...filter, signal, isHeld }, first, last)) {
        events.push(...stretch.logs.map(decodeEvent));
        onStretch(stretch);
      }
      return events;
    });
    this.note(last);
    return found;
  }

  /** Reads all events of a match, in the order of the chain. Events that were read before are not read again. */
  protected async about(matchId: bigint, options: MatchOptions): Promise<readonly AnyEvent[]> {
    const { fromBlock = this.pin?.fromBlock, signal = this.pin?.signal } = options;
    const latest = this.pin?.latest ?? (await unlessAborted(latestBlock(this.provider), signal));
    if (fromBlock !== undefined) integer(0, latest.number)(fromBlock, "fromBlock");
    const known = await unlessAborted(this.knownOf(matchId, latest), signal);
    if (known && known.last.number > latest.number) return known.events.filter(({ block }) => block <= latest.number);
    const { Arena } = this.addresses;
    const game = known?.game ?? (await unlessAborted(this.gameOf(matchId, options.read), signal));
    // A game outside the deployment may log anything, under any name.
    const isOurs = Object.values<string>(this.addresses).includes(game);
    const addresses = { Arena, game: isOurs ? game : Arena };
    const first = known ? known.last.number + 1 : (fromBlock ?? this.fromBlock);
    const isOver = known?.events.some(({ name }) => name === "Settled");
    const news = await this.metered(isOver ? 0 : latest.number + 1 - first, options, async (onStretch) => {
      if (isOver) return [];
      const manner = { signal, isHeld: this.holds(latest.number) };
      const search = new MatchSearch(this.arena, this.reader, matchId, addresses, onStretch, manner);
      const found = await (known ? search.forward(first, latest.number) : search.backward(first, latest.number));
      this.note(latest.number);
      return found;
    });
    const events = [...(known?.events ?? []), ...news];
    // A read that started after the creation must not be cached as the whole match.
    if (!isBegun(events)) return [];
    this.remember(matchId, { game, events, last: latest });
    return events;
  }

  private async channelMatch(matchId: bigint, options: MatchOptions): Promise<MatchRecord> {
    const found = await this.aboutChannelMatch(matchId, options);
    const record = found && channelRecordFrom(await this.chain(), found);
    if (!record)
      throw new Error(`There is no match ${matchId} that a channel brought to the chain${this.fromText(options)}.`);
    const isOurs = Object.values<string>(this.addresses).includes(record.terms.game);
    return isOurs ? record : { ...record, logs: [] };
  }

  /** Reads the events about a channel match; undefined if its channel has not submitted the match. */
  protected async aboutChannelMatch(matchId: bigint, options: MatchOptions): Promise<ChannelMatchEvents | undefined> {
    const { fromBlock: first = this.pin?.fromBlock ?? this.fromBlock, signal = this.pin?.signal } = options;
    const last = this.pin?.latest.number ?? (await unlessAborted(this.provider.getBlockNumber(), signal));
    const found = await this.metered(last + 1 - first, options, (onStretch) =>
      searchChannelMatch(this.arena, this.reader, this.addresses, matchId, [first, last], {
        onStretch,
        signal,
        isHeld: this.holds(last),
      }),
    );
    this.note(last);
    return found;
  }

  /** Caches the events of a match. */
  protected remember(matchId: bigint, past: Past): void {
    if (this.pasts.size >= REMEMBERED) this.pasts.clear();
    this.pasts.set(matchId, past);
  }

  /** Selects the matches of a game that have one of some modes. */
  private async ofModes(created: readonly ChainEvent<"Created">[], { game, modes }: PastQuery) {
    const wanted: ChainEvent<"Created">[] = [];
    for (const event of created) {
      const terms = await this.terms(event.args.termsHash);
      if (terms.game === game && modes.includes(terms.mode)) wanted.push(event);
    }
    return wanted;
  }

  /** Returns the events of a match that were read before, if the chain still has them. */
  private async knownOf(matchId: bigint, latest: BlockId): Promise<Past | undefined> {
    const known = this.pasts.get(matchId);
    if (!known) return undefined;
    const { last } = known;
    const isSame = last.number === latest.number ? last.hash === latest.hash : await hasBlock(this.provider, last);
    return isSame ? known : undefined;
  }

  /** Returns whether the node is known to have the logs up to the block of this snapshot. */
  private holds(block: number): boolean {
    return this.pin?.latest.number === block && this.pin.isHeld;
  }

  /** Records that the node had the logs up to a block. */
  private note(block: number): void {
    if (this.pin?.latest.number === block) this.pin.isHeld = true;
  }

  /** Describes the first block of a read, if it is later than the deployment's. */
  private fromText({ fromBlock = this.pin?.fromBlock ?? this.fromBlock }: MatchOptions): string {
    return fromBlock > this.fromBlock ? ` from block ${fromBlock} on` : "";
  }

  /** Reads the address of a match's game, and remembers its terms. @throws Error if there is no such match. */
  private async gameOf(matchId: bigint, read: MatchOptions["read"]): Promise<string> {
    const unknown = new Error(`There is no match ${matchId}.`);
    const never = inPlaceOf("UnknownMatch", this.arena.interface, unknown);
    const match = read ?? (await this.arena.matchOf(matchId).catch(never));
    const terms = "terms" in match ? match.terms : await readTerms(this.arena, match.termsId);
    this.termsByHash.set(termsHash(terms), terms);
    return terms.game;
  }

  /** Reads the chain's id. */
  protected async chain(): Promise<bigint> {
    return (await this.provider.getNetwork()).chainId;
  }

  private get reader(): LogReader {
    return LogReader.of(this.provider);
  }

  private get arena(): Arena {
    return (this.contract ??= arenaAt(this.addresses.Arena, this.provider));
  }

  /**
   * Runs a read and reports its progress; the read may end before all blocks are read.
   * @param wanted Number of blocks that the read may need.
   */
  private async metered<T>(
    wanted: number,
    { onProgress = this.pin?.onProgress }: ReadOptions,
    read: (onStretch: (stretch: Stretch) => void) => Promise<T>,
  ): Promise<T> {
    let rest = wanted;
    const { blocks } = this;
    blocks.wanted += wanted;
    blocks.reads++;
    const onStretch = ({ from, to }: Stretch) => {
      rest -= to + 1 - from;
      blocks.read += to + 1 - from;
      this.onProgress?.(blocks.read, blocks.wanted);
      onProgress?.(wanted - rest, wanted);
    };
    return read(onStretch).finally(() => {
      blocks.wanted -= rest;
      if (--blocks.reads === 0) [blocks.read, blocks.wanted] = [0, 0];
    });
  }
}

/** Checks and returns the content that a node returns for a hash. @throws Error if the content has another hash. */
function requireHash<T>(hash: Hex, hashOf: (content: T) => Hex, content: T): T {
  if (hashOf(content) !== hash) throw new Error(`The node answers ${hash} with something of another hash.`);
  return content;
}
