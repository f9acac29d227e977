import { keccak256, type Provider } from "ethers";
import { Arena__factory, Game__factory, type Arena } from "../../typechain-types/index.js";
import type { Addresses } from "./addresses.js";
import { inPlaceOf, NeverMinted, readCard, readFighter, type CardStats, type FighterTraits } from "./characters.js";
import { decodeEvent, topicsFor, type AnyEvent, type ChainEvent, type EventName, type Where } from "./events.js";
import { LogReader, type LogFilter, type Stretch } from "./logs.js";
import { ownedBy } from "./owned.js";
import type { MatchRecord, Settlement } from "./record.js";
import type { Hex } from "../protocol/hex.js";
import { MatchSearch } from "./search.js";
import { hasBlock, latestBlock, type BlockId } from "./source.js";
import { readTerms } from "./terms.js";
import { Seat } from "../protocol/status.js";
import { termsHash, type Terms } from "../protocol/terms.js";

/** Called with the parts of a task that are done, and that are wanted in all. */
export type OnProgress = (done: number, wanted: number) => void;

/** Matches whose events are remembered, at most. */
const REMEMBERED = 100;

/** Thrown for a mode that was never registered with its game. */
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
interface Past {
  /** Address of the game. */
  game: string;
  events: readonly AnyEvent[];
  /** The last block that was read. */
  last: BlockId;
}

/**
 * History of a deployment: matches and players as the events tell of them. Contracts are asked for what never changes,
 * where that is quicker; terms and modes are checked against their hashes.
 */
export class History {
  private readonly blocks = { reads: 0, read: 0, wanted: 0 };
  private readonly pasts = new Map<bigint, Past>();
  // Terms and modes are proved by their hashes, so that a reorganisation changes none of them.
  private readonly termsByHash = new Map<Hex, Terms>();
  /** Contents of modes, by game and hash. */
  private readonly modes = new Map<string, Hex>();
  private contract?: Arena;

  /**
   * @param fromBlock Block of the deployment, or an earlier one.
   * @param onProgress Called with the numbers of blocks that were read, and that may have to be read now.
   */
  constructor(
    readonly provider: Provider,
    readonly addresses: Addresses,
    private readonly fromBlock = 0,
    private readonly onProgress?: OnProgress,
  ) {}

  /**
   * Reads the record of a match, without the logs of a game that is not of the deployment: they may be anything.
   * @throws Error if there is no such match, Outage or Refused if the node gives no more.
   */
  async match(matchId: bigint): Promise<MatchRecord> {
    const events = await this.about(matchId);
    const of = <N extends EventName>(name: N) => events.filter((event) => event.name === name) as ChainEvent<N>[];
    const [created] = of("Created");
    if (!created) throw new Error(`There is no match ${matchId}.`);
    const terms = await this.terms(created.args.termsHash);
    const [[joined], [declined], [settled]] = [of("Joined"), of("Declined"), of("Settled")];
    const seats = of("Funded").map(({ args: { seat, player } }) => ({ seat, player }));
    if (created.args.funded) seats.unshift({ seat: Seat.One, player: created.args.player1 });
    // To join in one step is to fund too.
    if (joined && seats.length === 1) seats.push({ seat: Seat.Two, player: joined.args.player2 });
    return {
      chainId: await this.chain(),
      matchId,
      terms,
      player1: created.args.player1,
      player2: seats.find(({ seat }) => seat === Seat.Two)?.player,
      funded: seats,
      createData: created.args.data,
      joinData: joined?.args.data,
      actions: of("Acted").map(({ args: { seat, data } }) => ({ seat, data })),
      logs: of("Log").map(({ args: { round, logEntries } }) => ({ round, entries: logEntries })),
      declinedBy: declined?.args.opponent,
      settlement: settled && settlementOf(settled),
    };
  }

  /** Finds the block in which a match ended; undefined if it is not over. @throws like `match` */
  async endOf(matchId: bigint): Promise<number | undefined> {
    return (await this.about(matchId)).find(({ name }) => name === "Settled")?.block;
  }

  /** Reads the terms of a hash. @throws Error if they were never added. */
  async terms(hash: Hex): Promise<Terms> {
    const known = this.termsByHash.get(hash);
    if (known) return known;
    const termsId = await this.arena.termsIdOf(hash);
    if (termsId === 0n) throw new Error(`The terms ${hash} were never added.`);
    const terms = requireHash(hash, termsHash, await readTerms(this.arena, termsId));
    this.termsByHash.set(hash, terms);
    return terms;
  }

  /** Finds the fighters that a player owns, in the order of their numbers. */
  async fightersOf(player: string): Promise<bigint[]> {
    return this.ownedBy(player, this.addresses.Fighters);
  }

  /** Finds the guardians' cards that a player owns, in the order of their numbers. */
  async cardsOf(player: string): Promise<bigint[]> {
    return this.ownedBy(player, this.addresses.GuardianCards);
  }

  /** Finds the operators that a player has ever approved for all its tokens of a contract, revoked ones included. */
  async operatorsOf(player: string, token: string): Promise<string[]> {
    const events = await this.events(token, "ApprovalForAll", { owner: player });
    return [...new Set(events.map(({ args }) => args.operator))];
  }

  /** Reads the content of a mode by its hash. @throws UnregisteredMode if it never was. */
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

  /** Takes note of the content of a mode that is yet to be registered. */
  learnMode(game: string, content: Hex): void {
    this.modes.set(`${game} ${keccak256(content)}`, content);
  }

  /** Reads the traits of a fighter. @throws NeverMinted */
  async fighter(id: bigint): Promise<FighterTraits> {
    return readFighter(this.provider, this.addresses.Fighters, id);
  }

  /** Reads the traits of fighters, in the order of `ids`. @throws NeverMinted */
  async fighters(ids: readonly bigint[]): Promise<FighterTraits[]> {
    return Promise.all(ids.map((id) => this.fighter(id)));
  }

  /** Reads the stats of a guardian's card. @throws NeverMinted */
  async card(id: bigint): Promise<CardStats> {
    return readCard(this.provider, this.addresses.GuardianCards, id);
  }

  /** Reads the stats of guardians' cards, in the order of `ids`. @throws NeverMinted */
  async cards(ids: readonly bigint[]): Promise<CardStats[]> {
    return Promise.all(ids.map((id) => this.card(id)));
  }

  /**
   * Reads a contract's events of a name, oldest first.
   * @param first First block; that of the deployment if left out.
   * @throws Outage or Refused if the node gives no more.
   */
  async events<N extends EventName>(
    address: string,
    name: N,
    where: Where<N> = {},
    first = this.fromBlock,
  ): Promise<ChainEvent<N>[]> {
    return (await this.told({ address, topics: topicsFor(name, where) }, first)) as unknown as ChainEvent<N>[];
  }

  /**
   * Reads events of any names, oldest first.
   * @param first First block; that of the deployment if left out.
   * @param until Last block; the latest if left out.
   * @throws Outage or Refused if the node gives no more, MalformedEvent for a log that is none of the events.
   */
  async told(filter: LogFilter, first = this.fromBlock, until?: number): Promise<AnyEvent[]> {
    const last = until ?? (await this.provider.getBlockNumber());
    return this.metered(last + 1 - first, async (onStretch) => {
      const found: AnyEvent[] = [];
      for await (const stretch of this.reader.forward(filter, first, last)) {
        found.push(...stretch.logs.map(decodeEvent));
        onStretch(stretch);
      }
      return found;
    });
  }

  /** Reads all events of a match, in the order of the chain. Events that were read before are not read again. */
  protected async about(matchId: bigint): Promise<readonly AnyEvent[]> {
    const latest = await latestBlock(this.provider);
    const known = await this.knownOf(matchId, latest);
    const { Arena } = this.addresses;
    const game = known?.game ?? (await this.gameOf(matchId));
    // A game of somebody else's may log anything, under any name.
    const isOurs = Object.values<string>(this.addresses).includes(game);
    const addresses = { Arena, game: isOurs ? game : Arena };
    const first = known ? known.last.number + 1 : this.fromBlock;
    const isOver = known?.events.some(({ name }) => name === "Settled");
    const news = await this.metered(isOver ? 0 : latest.number + 1 - first, async (onStretch) => {
      if (isOver) return [];
      const search = new MatchSearch(this.arena, this.reader, matchId, addresses, onStretch);
      return known ? search.forward(first, latest.number) : search.backward(first, latest.number);
    });
    const events = [...(known?.events ?? []), ...news];
    if (this.pasts.size >= REMEMBERED) this.pasts.clear();
    this.pasts.set(matchId, { game, events, last: latest });
    return events;
  }

  /** Returns the events of a match that were read before, if the chain still has them. */
  private async knownOf(matchId: bigint, latest: BlockId): Promise<Past | undefined> {
    const known = this.pasts.get(matchId);
    if (!known) return undefined;
    const { last } = known;
    const isSame = last.number === latest.number ? last.hash === latest.hash : await hasBlock(this.provider, last);
    return isSame ? known : undefined;
  }

  /** Reads the address of a match's game, and remembers its terms. @throws Error if there is no such match. */
  private async gameOf(matchId: bigint): Promise<string> {
    const unknown = new Error(`There is no match ${matchId}.`);
    const never = inPlaceOf("UnknownMatch", this.arena.interface, unknown);
    const { termsId } = await this.arena.matchOf(matchId).catch(never);
    const terms = await readTerms(this.arena, termsId);
    this.termsByHash.set(termsHash(terms), terms);
    return terms.game;
  }

  /** Reads the chain's id. */
  protected async chain(): Promise<bigint> {
    return (await this.provider.getNetwork()).chainId;
  }

  /** Finds the characters of a contract that a player owns, in the order of their numbers. */
  protected async ownedBy(player: string, token: string): Promise<bigint[]> {
    const { provider, fromBlock } = this;
    const read = token === this.addresses.Fighters ? readFighter : readCard;
    const exists = async (id: bigint) => {
      const minted = await read(provider, token, id).catch((error: unknown) => error);
      if (minted instanceof Error && !(minted instanceof NeverMinted)) throw minted;
      return !(minted instanceof NeverMinted);
    };
    const last = await provider.getBlockNumber();
    return this.metered(last + 1 - fromBlock, (onStretch) =>
      ownedBy(player, { provider, token, blocks: [fromBlock, last], exists, onStretch }),
    );
  }

  private get reader(): LogReader {
    return LogReader.of(this.provider);
  }

  private get arena(): Arena {
    return (this.contract ??= Arena__factory.connect(this.addresses.Arena, this.provider));
  }

  /**
   * Runs a read and tells how far it has come; it may end before all blocks are read.
   * @param wanted Number of blocks that the read may need.
   */
  private async metered<T>(wanted: number, read: (onStretch: (stretch: Stretch) => void) => Promise<T>): Promise<T> {
    let rest = wanted;
    const { blocks } = this;
    blocks.wanted += wanted;
    blocks.reads++;
    const onStretch = ({ from, to }: Stretch) => {
      rest -= to + 1 - from;
      blocks.read += to + 1 - from;
      this.onProgress?.(blocks.read, blocks.wanted);
    };
    return read(onStretch).finally(() => {
      blocks.wanted -= rest;
      if (--blocks.reads === 0) [blocks.read, blocks.wanted] = [0, 0];
    });
  }
}

/** Returns the content that a node gives for a hash. @throws Error if it has another hash. */
function requireHash<T>(hash: Hex, hashOf: (content: T) => Hex, content: T): T {
  if (hashOf(content) !== hash) throw new Error(`The node answers ${hash} with something of another hash.`);
  return content;
}

function settlementOf({ args }: ChainEvent<"Settled">): Settlement {
  const { status, paid1, paid2, house, rating1, rating2 } = args;
  return { status, paid1, paid2, house, rating1, rating2 };
}
