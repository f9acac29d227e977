import { keccak256, type Provider } from "ethers";
import { Arena__factory, Game__factory, type Arena } from "../../typechain-types/index.js";
import type { Addresses } from "./addresses.js";
import { inPlaceOf, NeverMinted, readCard, readFighter, type CardStats, type FighterTraits } from "./characters.js";
import { decodeEvent, topicsFor, type AnyEvent, type ChainEvent, type EventName, type Where } from "./events.js";
import { LogReader, type LogFilter, type Stretch } from "./logs.js";
import { ownedBy } from "./owned.js";
import type { MatchRecord } from "./record.js";
import type { Hex } from "../protocol/hex.js";
import { MatchSearch } from "./search.js";
import { Seat } from "../protocol/status.js";
import { termsHash, type Terms } from "../protocol/terms.js";

/** Told how much of something has been done. */
export type OnProgress = (done: number, wanted: number) => void;

/** So many matches are remembered. */
const REMEMBERED = 100;

/** What was read of a match. */
interface Past {
  events: readonly AnyEvent[];
  /** The last block that was read. */
  last: { number: number; hash: string | null };
}

/**
 * What a deployment's events tell of matches and players. What never changes is asked of the contracts where that is quicker:
 * terms and modes are what their hashes say.
 */
export class History {
  private readonly blocks = { reads: 0, read: 0, wanted: 0 };
  private readonly pasts = new Map<bigint, Past>();
  /** Terms and modes are what their hashes say, whatever becomes of the chain. */
  private readonly proved = new Map<string, unknown>();
  private contract?: Arena;

  /**
   * @param fromBlock The block of the deployment, or an earlier one.
   * @param onProgress Told how many of the blocks that may have to be read now have been.
   */
  constructor(
    readonly provider: Provider,
    readonly addresses: Addresses,
    private readonly fromBlock = 0,
    private readonly onProgress?: OnProgress,
  ) {}

  /** All events of one match, but for the logs of a foreign game: they may be anything. @throws Error if there is no such match. */
  async match(matchId: bigint): Promise<MatchRecord> {
    const events = await this.about(matchId);
    const of = <N extends EventName>(name: N) => events.filter((event) => event.name === name) as ChainEvent<N>[];
    const [created] = of("Created");
    if (!created) throw new Error(`There is no match ${matchId}.`);
    const terms = await this.terms(created.args.termsHash);
    const [[joined], [settled]] = [of("Joined"), of("Settled")];
    const seats = of("Funded").map(({ args: { seat, player } }) => ({ seat, player }));
    if (created.args.funded) seats.unshift({ seat: Seat.One, player: created.args.player1 });
    // Who has joined in one step has funded by it.
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
      actions: of("Acted").map(({ args: { seat, data } }) => ({ seat, action })),
      logs: of("Log").map(({ args: { round, entries } }) => ({ round, entries })),
      settlement: settled && settlementOf(settled),
    };
  }

  /** The terms of that hash. @throws Error if they were never added. */
  async terms(hash: Hex): Promise<Terms> {
    return this.once(`terms ${hash}`, async () => {
      const termsId = await this.arena.termsIdOf(hash);
      if (termsId === 0n) throw new Error(`The terms ${hash} were never added.`);
      const { game, stake1, token, stake2, mode, clock, feeBps, rated } = await this.arena.termsOf(termsId);
      return requireHash(hash, termsHash, { game, stake1, token, stake2, mode, clock, feeBps, rated });
    });
  }

  /** The matches that a player has offered, oldest first. */
  async offeredBy(player: string): Promise<bigint[]> {
    const created = await this.events(this.addresses.Arena, "Created", { player1: player });
    return created.map(({ args }) => args.matchId);
  }

  /** The fighters that a player owns, in the order of their numbers. */
  async fightersOf(player: string): Promise<bigint[]> {
    return this.ownedBy(player, this.addresses.Fighters);
  }

  /** The guardians' cards that a player owns, in the order of their numbers. */
  async cardsOf(player: string): Promise<bigint[]> {
    return this.ownedBy(player, this.addresses.GuardianCards);
  }

  /** Who may move all of a player's tokens of a contract, or might at some time. */
  async operatorsOf(player: string, token: string): Promise<string[]> {
    const events = await this.events(token, "ApprovalForAll", { owner: player });
    return [...new Set(events.map(({ args }) => args.operator))];
  }

  /** The content of a mode that was registered with a game. @throws Error if it was not. */
  async mode(game: string, mode: Hex): Promise<Hex> {
    return this.once(`mode ${game} ${mode}`, async () => {
      const contract = Game__factory.connect(game, this.provider);
      const unknown = new Error(`The mode ${mode} was never registered with the game ${game}.`);
      const never = inPlaceOf("UnknownMode", contract.interface, unknown);
      return requireHash(mode, keccak256, await contract.modeOf(mode).catch(never));
    });
  }

  /** What a fighter was minted as. @throws NeverMinted */
  async fighter(id: bigint): Promise<FighterTraits> {
    return readFighter(this.provider, this.addresses.Fighters, id);
  }

  /** What fighters were minted as, in the same order. @throws NeverMinted */
  async fighters(ids: readonly bigint[]): Promise<FighterTraits[]> {
    return Promise.all(ids.map((id) => this.fighter(id)));
  }

  /** What a guardian's card was minted as. @throws NeverMinted */
  async card(id: bigint): Promise<CardStats> {
    return readCard(this.provider, this.addresses.GuardianCards, id);
  }

  /** What guardians' cards were minted as, in the same order. @throws NeverMinted */
  async cards(ids: readonly bigint[]): Promise<CardStats[]> {
    return Promise.all(ids.map((id) => this.card(id)));
  }

  /** A contract's events of a name, oldest first, from the deployment on or from block `first`. */
  async events<N extends EventName>(
    address: string,
    name: N,
    where: Where<N> = {},
    first = this.fromBlock,
  ): Promise<ChainEvent<N>[]> {
    return (await this.told({ address, topics: topicsFor(name, where) }, first)) as unknown as ChainEvent<N>[];
  }

  /** Events of any names, oldest first, from the deployment on or from block `first`. */
  async told(filter: LogFilter, first = this.fromBlock): Promise<AnyEvent[]> {
    const last = await this.provider.getBlockNumber();
    return this.metered(last + 1 - first, async (onStretch) => {
      const found: AnyEvent[] = [];
      for await (const stretch of this.reader.forward(filter, first, last)) {
        found.push(...stretch.logs.map(decodeEvent));
        onStretch(stretch);
      }
      return found;
    });
  }

  /** All that was told of a match, in the order of the chain; what was read before is not read again. */
  protected async about(matchId: bigint): Promise<readonly AnyEvent[]> {
    const { number, hash } = (await this.provider.getBlock("latest"))!;
    const known = await this.knownOf(matchId);
    const { Arena } = this.addresses;
    const game = await this.gameOf(matchId);
    // A game of somebody else's may log anything, under any name.
    const isOurs = Object.values(this.addresses as unknown as Record<string, string>).includes(game);
    const addresses = { Arena, game: isOurs ? game : Arena };
    const first = known ? known.last.number + 1 : this.fromBlock;
    const isOver = known?.events.some(({ name }) => name === "Settled");
    const news = await this.metered(isOver ? 0 : number + 1 - first, async (onStretch) => {
      if (isOver) return [];
      const search = new MatchSearch(this.arena, this.reader, matchId, addresses, onStretch);
      return known ? search.forward(first, number) : search.backward(first, number);
    });
    const events = [...(known?.events ?? []), ...news];
    if (this.pasts.size >= REMEMBERED) this.pasts.clear();
    this.pasts.set(matchId, { events, last: { number, hash } });
    return events;
  }

  /** What was read of a match before, if the chain still has it. */
  private async knownOf(matchId: bigint): Promise<Past | undefined> {
    const known = this.pasts.get(matchId);
    if (!known) return undefined;
    return (await this.provider.getBlock(known.last.number))?.hash === known.last.hash ? known : undefined;
  }

  private async gameOf(matchId: bigint): Promise<string> {
    const unknown = new Error(`There is no match ${matchId}.`);
    const never = inPlaceOf("UnknownMatch", this.arena.interface, unknown);
    const { termsId } = await this.arena.matchOf(matchId).catch(never);
    return (await this.arena.termsOf(termsId)).game;
  }

  /** The chain's id. */
  protected async chain(): Promise<bigint> {
    return (await this.provider.getNetwork()).chainId;
  }

  /** The characters of a token that a player has, in the order of their numbers. */
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

  private async once<T>(what: string, read: () => Promise<T>): Promise<T> {
    const known = this.proved.get(what) as T | undefined;
    if (known !== undefined) return known;
    const found = await read();
    this.proved.set(what, found);
    return found;
  }

  /** Tells how far reads have come; one may end before all the blocks are read that it may need. */
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

/** What a node tells of a hash, if it is that. */
function requireHash<T>(hash: Hex, hashOf: (content: T) => Hex, content: T): T {
  if (hashOf(content) !== hash) throw new Error(`The node answers ${hash} with something of another hash.`);
  return content;
}

function settlementOf({ args }: ChainEvent<"Settled">) {
  const { status, paid1, paid2, house, rating1, rating2 } = args;
  return { status, paid1, paid2, house, rating1, rating2 };
}
