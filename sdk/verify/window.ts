import type { Source } from "../chain/archive.js";
import { fits, type AnyEvent, type ChainEvent, type EventName, type Where } from "../chain/events.js";
import { NeverMinted, type CardStats, type FighterTraits } from "../chain/characters.js";
import { History } from "../chain/history.js";
import type { Hex } from "../protocol/hex.js";
import { termsHash, type Terms } from "../protocol/terms.js";

/** What outlives matches, all by its first field. */
const LASTING: readonly EventName[] = ["ModeRegistered", "FighterMinted", "CardMinted"];

/** What matches that are not over have told so far, and what outlives them: all that it takes to play one again. */
export class Window extends History {
  private readonly matches = new Map<bigint, AnyEvent[]>();
  private readonly added = new Map<Hex, Terms>();
  /** By address, name and first field. */
  private readonly lasting = new Map<string, AnyEvent[]>();

  constructor(private readonly source: Source) {
    super(source.provider, source.addresses);
  }

  /** Takes the next event, which only a match that was opened keeps. */
  take(event: AnyEvent): void {
    const { address, name, args } = event;
    if (name === "TermsAdded") this.added.set(termsHash(args.terms), args.terms);
    else if ("matchId" in args) this.matches.get(args.matchId)?.push(event);
    else if (LASTING.includes(name)) {
      const key = [address, name, Object.values(args)[0]].join(" ");
      this.lasting.set(key, [...(this.lasting.get(key) ?? []), event]);
    }
  }

  /** Keeps what a match tells from now on. */
  open(matchId: bigint): void {
    if (!this.has(matchId)) this.matches.set(matchId, []);
  }

  /** Whether it keeps what a match tells. */
  has(matchId: bigint): boolean {
    return this.matches.has(matchId);
  }

  /** Keeps nothing of a match any more. */
  close(matchId: bigint): void {
    this.matches.delete(matchId);
  }

  override async terms(hash: Hex): Promise<Terms> {
    const terms = this.added.get(hash);
    if (!terms) throw new Error(`The terms ${hash} were never added.`);
    return terms;
  }

  override async events<N extends EventName>(
    address: string,
    name: N,
    where: Where<N> = {},
    from = 0,
  ): Promise<ChainEvent<N>[]> {
    const values = Object.values<unknown>(where).flat();
    const events = LASTING.includes(name)
      ? values.flatMap((value) => this.lasting.get([address, name, value].join(" ")) ?? [])
      : values.flatMap((value) => this.matches.get(value as bigint) ?? []);
    const found = events.filter((event) => event.address === address && event.name === name && event.block >= from);
    return (found as unknown as ChainEvent<N>[]).filter((event) => fits(event, where));
  }

  override async mode(game: string, mode: Hex): Promise<Hex> {
    const [registered] = await this.events(game, "ModeRegistered", { mode });
    if (!registered) throw new Error(`The mode ${mode} was never registered with the game ${game}.`);
    return registered.args.content;
  }

  override async fighter(id: bigint): Promise<FighterTraits> {
    const [minted] = await this.events(this.addresses.Fighters, "FighterMinted", { id });
    if (!minted) throw new NeverMinted("fighter", id);
    const { character, tiers, golden } = minted.args;
    return { character, tiers: tiers.map(Number), golden };
  }

  override async card(id: bigint): Promise<CardStats> {
    const [minted] = await this.events(this.addresses.GuardianCards, "CardMinted", { id });
    if (!minted) throw new NeverMinted("card", id);
    const [power, defense, hp, speed, critical, luck, type] = Object.values(minted.args.stats).map(Number);
    return { power, defense, hp, speed, critical, luck, type };
  }

  protected override async about(matchId: bigint): Promise<readonly AnyEvent[]> {
    const { Arena } = this.addresses;
    const events = this.matches.get(matchId) ?? [];
    const created = events.find((event) => event.name === "Created" && event.address === Arena);
    if (created?.name !== "Created") return [];
    const { game } = await this.terms(created.args.termsHash);
    return events.filter(({ name, address }) => address === (name === "Log" ? game : Arena));
  }

  protected override async chain(): Promise<bigint> {
    return this.source.chainId;
  }
}
