import type { Provider } from "ethers";
import type { Addresses } from "./addresses.js";
import { decodeEvent, topicsFor, type ChainEvent, type EventName, type Events, type Where } from "./events.js";
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

/** Told how much of something has been done. */
export type OnProgress = (done: number, wanted: number) => void;

/**
 * What a deployment's events tell. Nothing is read from contract state, so whoever has the events can check everything.
 */
export class History {
  private readonly blocks = { read: 0, wanted: 0 };
  /** Terms and modes are what their hashes say, whatever becomes of the chain. */
  private readonly known = new Map<Hex, Terms>();
  private readonly modes = new Map<string, Hex>();

  /**
   * @param fromBlock The block of the deployment, or an earlier one.
   * @param onProgress Told how many of the blocks asked for so far have been read.
   */
  constructor(
    readonly provider: Provider,
    readonly addresses: Addresses,
    private readonly fromBlock = 0,
    private readonly onProgress?: OnProgress,
  ) {}

  /** All events of one match. @throws Error if there is no such match. */
  async match(matchId: bigint): Promise<MatchRecord> {
    const { Arena } = this.addresses;
    const [created] = await this.events(Arena, "Created", { matchId });
    if (!created) throw new Error(`There is no match ${matchId}.`);
    const terms = await this.terms(created.args.termsHash);
    const of = <N extends "Funded" | "Joined" | "Acted" | "Log" | "Settled">(name: N, address = Arena) =>
      this.events(address, name, { matchId } as Where<N>, created.block);
    const [funded, [joined], acted, logs, [settled]] = await Promise.all([
      of("Funded"),
      of("Joined"),
      of("Acted"),
      of("Log", terms.game),
      of("Settled"),
    ]);
    const seats = funded.map(({ args: { seat, player } }) => ({ seat, player }));
    return {
      chainId: await this.chain(),
      matchId,
      terms,
      player1: created.args.player1,
      player2: seats.find(({ seat }) => seat === 2n)?.player,
      funded: seats,
      opening: created.args.opening,
      answer: joined?.args.answer,
      actions: acted.map(({ args: { seat, action } }) => ({ seat, action })),
      logs: logs.map(({ args: { round, words } }) => ({ round, words })),
      settlement: settled && settlementOf(settled),
    };
  }

  /** The terms of that hash. @throws Error if they were never added. */
  async terms(hash: Hex): Promise<Terms> {
    if (!this.known.has(hash)) {
      const added = await this.events(this.addresses.Arena, "TermsAdded");
      for (const { args } of added) this.known.set(termsHash(args.terms), args.terms);
    }
    const found = this.known.get(hash);
    if (!found) throw new Error(`The terms ${hash} were never added.`);
    return found;
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

  /** The content of a mode that was registered with a game. @throws Error if it was not. */
  async mode(game: string, mode: Hex): Promise<Hex> {
    const known = this.modes.get(`${game} ${mode}`);
    if (known !== undefined) return known;
    const [registered] = await this.events(game, "ModeRegistered", { mode });
    if (!registered) throw new Error(`The mode ${mode} was never registered with the game ${game}.`);
    this.modes.set(`${game} ${mode}`, registered.args.content);
    return registered.args.content;
  }

  /** What a fighter was minted as. @throws Error if it never was. */
  async fighter(id: bigint): Promise<FighterTraits> {
    const [fighter] = await this.fighters([id]);
    return fighter;
  }

  /** What fighters were minted as, in the same order. @throws Error for one that never was. */
  async fighters(ids: readonly bigint[]): Promise<FighterTraits[]> {
    const minted = await this.events(this.addresses.Fighters, "FighterMinted", { id: ids });
    return inOrderOf(ids, minted, "fighter").map(({ character, tiers, golden }) => {
      return { character, tiers: tiers.map(Number), golden };
    });
  }

  /** What a guardian's card was minted as. @throws Error if it never was. */
  async card(id: bigint): Promise<CardStats> {
    const [card] = await this.cards([id]);
    return card;
  }

  /** What guardians' cards were minted as, in the same order. @throws Error for one that never was. */
  async cards(ids: readonly bigint[]): Promise<CardStats[]> {
    const minted = await this.events(this.addresses.GuardianCards, "CardMinted", { id: ids });
    return inOrderOf(ids, minted, "card").map(({ stats }) => {
      const [power, defense, hp, speed, critical, luck, type] = Object.values(stats).map(Number);
      return { power, defense, hp, speed, critical, luck, type };
    });
  }

  /** A contract's events of a name, oldest first, from the deployment on or from block `first`. */
  async events<N extends EventName>(
    address: string,
    name: N,
    where: Where<N> = {},
    first = this.fromBlock,
  ): Promise<ChainEvent<N>[]> {
    const topics = topicsFor(name, where);
    const last = await this.provider.getBlockNumber();
    this.blocks.wanted += last + 1 - first;
    const found: ChainEvent<N>[] = [];
    for (let fromBlock = first; fromBlock <= last; fromBlock += SPAN) {
      const toBlock = Math.min(last, fromBlock + SPAN - 1);
      const logs = await this.provider.getLogs({ address, topics, fromBlock, toBlock });
      found.push(...logs.map((log) => decodeEvent(log) as unknown as ChainEvent<N>));
      this.blocks.read += toBlock + 1 - fromBlock;
      this.onProgress?.(this.blocks.read, this.blocks.wanted);
    }
    return found;
  }

  /** The chain's id. */
  protected async chain(): Promise<bigint> {
    return (await this.provider.getNetwork()).chainId;
  }

  /** Whoever got a token once more than it gave it away has it. */
  private async ownedBy(player: string, token: string): Promise<bigint[]> {
    const [came, went] = await Promise.all([
      this.events(token, "Transfer", { to: player }),
      this.events(token, "Transfer", { from: player }),
    ]);
    const times = new Map<bigint, number>();
    const count = (events: ChainEvent<"Transfer">[], step: number) => {
      for (const { args } of events) times.set(args.tokenId, (times.get(args.tokenId) ?? 0) + step);
    };
    count(came, 1);
    count(went, -1);
    const owned = [...times].filter(([, balance]) => balance > 0).map(([id]) => id);
    return owned.sort((a, b) => (a < b ? -1 : 1));
  }
}

/** What was minted, in the order of these numbers. @throws Error for one that never was. */
function inOrderOf<N extends "FighterMinted" | "CardMinted">(
  ids: readonly bigint[],
  minted: readonly ChainEvent<N>[],
  noun: string,
): Events[N][] {
  return ids.map((id) => {
    const found = minted.find(({ args }) => args.id === id);
    if (!found) throw new Error(`The ${noun} ${id} was never minted.`);
    return found.args;
  });
}

function settlementOf({ args }: ChainEvent<"Settled">) {
  const { status, paid1, paid2, house, rating1, rating2 } = args;
  return { status, paid1, paid2, house, rating1, rating2 };
}
