import { type BaseContract, type DeferredTopicFilter, type EventLog, type Provider } from "ethers";
import {
  Arena__factory,
  Fighters__factory,
  GuardianCards__factory,
  IGame__factory,
  type Arena,
  type Fighters,
  type GuardianCards,
} from "../typechain-types/index.js";
import type { Addresses } from "./addresses.js";
import type { MatchRecord } from "./record.js";
import type { Hex } from "./seal.js";
import { termsHash, type Terms } from "./terms.js";

/** A fighter as its mint event describes it; tiers 1..3 in the order attack, defense, health, speed, range, combo. */
export interface FighterTraits {
  character: bigint;
  tiers: number[];
  golden: boolean;
}

/** A guardian's card as its mint event describes it; `type` is 0..7 in the order of the wheel. */
export interface CardStats {
  power: number;
  defense: number;
  hp: number;
  speed: number;
  /** Of 1000. */
  critical: number;
  /** Of 1000. */
  luck: number;
  type: number;
}

/** Blocks asked for at once: what public nodes give in one answer. */
const SPAN = 10_000;

/**
 * What a deployment's events tell. Nothing is read from contract state, so whoever has the events can check everything.
 */
export class History {
  private readonly arena: Arena;
  private readonly blocks = { read: 0, wanted: 0 };
  /** What was found before. Terms and modes go by their hashes, so nothing can change them. */
  private readonly terms = new Map<Hex, Terms>();
  private readonly modes = new Map<string, Hex>();
  /** The block in which a match was offered, when last seen. */
  private readonly offered = new Map<bigint, number>();

  /**
   * @param fromBlock The block of the deployment, or an earlier one.
   * @param onProgress Told how many of the blocks asked for so far have been read.
   */
  constructor(
    readonly provider: Provider,
    readonly addresses: Addresses,
    private readonly fromBlock = 0,
    private readonly onProgress?: (read: number, wanted: number) => void,
  ) {
    this.arena = Arena__factory.connect(addresses.Arena, provider);
  }

  /** All events of one match. @throws Error if there is no such match. */
  async match(matchId: bigint): Promise<MatchRecord> {
    const { filters } = this.arena;
    const created = await this.offer(matchId);
    const terms = await this.termsBehind(created.args.termsHash as Hex);
    const game = IGame__factory.connect(terms.game, this.provider);
    const [funded, [joined], acted, logs, [settled]] = await Promise.all([
      this.events(this.arena, filters.Funded(matchId), created.blockNumber),
      this.events(this.arena, filters.Joined(matchId), created.blockNumber),
      this.events(this.arena, filters.Acted(matchId), created.blockNumber),
      this.events(game, game.filters.Log(matchId), created.blockNumber),
      this.events(this.arena, filters.Settled(matchId), created.blockNumber),
    ]);
    const seats = funded.map(({ args }) => ({ seat: args.seat as bigint, player: args.player as string }));
    return {
      chainId: (await this.provider.getNetwork()).chainId,
      matchId,
      terms,
      player1: created.args.player1 as string,
      player2: seats.find(({ seat }) => seat === 2n)?.player,
      funded: seats,
      opening: created.args.opening as Hex,
      answer: joined?.args.answer as Hex | undefined,
      actions: acted.map(({ args }) => ({ seat: args.seat as bigint, action: args.action as Hex })),
      logs: logs.map(({ args }) => ({ round: args.round as bigint, words: [...(args.words as bigint[])] })),
      settlement: settled && settlementOf(settled),
    };
  }

  /** The matches that a player has offered, oldest first. */
  async offeredBy(player: string): Promise<bigint[]> {
    const created = await this.events(this.arena, this.arena.filters.Created(undefined, player));
    return created.map(({ args }) => args.matchId as bigint);
  }

  /** The fighters that a player owns, in the order of their numbers. */
  async fightersOf(player: string): Promise<bigint[]> {
    return this.ownedBy(player, Fighters__factory.connect(this.addresses.Fighters, this.provider));
  }

  /** The guardians' cards that a player owns, in the order of their numbers. */
  async cardsOf(player: string): Promise<bigint[]> {
    return this.ownedBy(player, GuardianCards__factory.connect(this.addresses.GuardianCards, this.provider));
  }

  /** The content of a mode that was registered with a game. @throws Error if it was not. */
  async mode(game: string, mode: Hex): Promise<Hex> {
    const known = this.modes.get(`${game} ${mode}`);
    if (known !== undefined) return known;
    const contract = IGame__factory.connect(game, this.provider);
    const [registered] = await this.events(contract, contract.filters.ModeRegistered(mode));
    if (!registered) throw new Error(`The mode ${mode} was never registered with the game ${game}.`);
    const content = registered.args.content as Hex;
    this.modes.set(`${game} ${mode}`, content);
    return content;
  }

  /** What a fighter was minted as. @throws Error if it never was. */
  async fighter(id: bigint): Promise<FighterTraits> {
    const contract = Fighters__factory.connect(this.addresses.Fighters, this.provider);
    const [minted] = await this.events(contract, contract.filters.FighterMinted(id));
    if (!minted) throw new Error(`The fighter ${id} was never minted.`);
    const { character, tiers, golden } = minted.args;
    return { character: character as bigint, tiers: (tiers as bigint[]).map(Number), golden: golden as boolean };
  }

  /** What a guardian's card was minted as. @throws Error if it never was. */
  async card(id: bigint): Promise<CardStats> {
    const contract = GuardianCards__factory.connect(this.addresses.GuardianCards, this.provider);
    const [minted] = await this.events(contract, contract.filters.CardMinted(id));
    if (!minted) throw new Error(`The card ${id} was never minted.`);
    const [power, defense, hp, speed, critical, luck, type] = (minted.args.stats as bigint[]).map(Number);
    return { power, defense, hp, speed, critical, luck, type };
  }

  /** Whoever got a token once more than it gave it away has it. */
  private async ownedBy(player: string, token: Fighters | GuardianCards): Promise<bigint[]> {
    const [came, went] = await Promise.all([
      this.events(token, token.filters.Transfer(undefined, player)),
      this.events(token, token.filters.Transfer(player)),
    ]);
    const times = new Map<bigint, number>();
    const count = (events: EventLog[], step: number) => {
      for (const { args } of events) times.set(args.tokenId as bigint, (times.get(args.tokenId as bigint) ?? 0) + step);
    };
    count(came, 1);
    count(went, -1);
    const owned = [...times].filter(([, balance]) => balance > 0).map(([id]) => id);
    return owned.sort((a, b) => (a < b ? -1 : 1));
  }

  /** The event of a match's offer: looked for where it was last seen, then everywhere. */
  private async offer(matchId: bigint): Promise<EventLog> {
    const filter = this.arena.filters.Created(matchId);
    const block = this.offered.get(matchId);
    const [again] = block === undefined ? [] : await this.events(this.arena, filter, block, block);
    const offer = again ?? (await this.events(this.arena, filter)).at(0);
    if (!offer) throw new Error(`There is no match ${matchId}.`);
    this.offered.set(matchId, offer.blockNumber);
    return offer;
  }

  private async termsBehind(hash: Hex): Promise<Terms> {
    for (const { args } of this.terms.has(hash) ? [] : await this.events(this.arena, this.arena.filters.TermsAdded())) {
      const terms = plainTerms(args.terms as Terms);
      this.terms.set(termsHash(terms), terms);
    }
    const found = this.terms.get(hash);
    if (!found) throw new Error(`The terms ${hash} were never added.`);
    return found;
  }

  /** A contract's events, oldest first, from the deployment on or from block `first`, until now or block `until`. */
  async events(
    contract: BaseContract,
    filter: DeferredTopicFilter,
    first = this.fromBlock,
    until = Infinity,
  ): Promise<EventLog[]> {
    const last = Math.min(until, await this.provider.getBlockNumber());
    if (last < first) return []; // a reorganisation has made the chain shorter
    this.blocks.wanted += last + 1 - first;
    const found: EventLog[] = [];
    for (let from = first; from <= last; from += SPAN) {
      const to = Math.min(last, from + SPAN - 1);
      found.push(...((await contract.queryFilter(filter, from, to)) as EventLog[]));
      this.blocks.read += to + 1 - from;
      this.onProgress?.(this.blocks.read, this.blocks.wanted);
    }
    return found;
  }
}

function settlementOf({ args }: EventLog) {
  const { status, paid1, paid2, house, rating1, rating2 } = args as unknown as Record<string, bigint>;
  return { status, paid1, paid2, house, rating1, rating2 };
}

function plainTerms({ game, stake1, token, stake2, mode, clock, share, rated }: Terms): Terms {
  return { game, stake1, token, stake2, mode, clock, share, rated };
}
