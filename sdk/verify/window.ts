import { termsUnder, type ChannelMatchEvents } from "../chain/channel-record.js";
import { EventHistory } from "../chain/event-history.js";
import {
  fits,
  isMintName,
  type AnyEvent,
  type ChainEvent,
  type EventName,
  type Events,
  type Where,
} from "../chain/events.js";
import type { EventSource } from "../chain/source.js";
import type { Hex } from "../protocol/hex.js";
import { termsHash, type Terms } from "../protocol/terms.js";

/** Events of open matches, and events that outlive matches: everything that a replay of an open match needs. */
export class Window extends EventHistory {
  /** Events of tracked matches. */
  private readonly matches = new Map<bigint, AnyEvent[]>();
  private readonly added = new Map<Hex, Terms>();
  private readonly numbered = new Map<bigint, Terms>();
  /** Channels that are open. */
  private readonly opened = new Map<Hex, Events["Opened"]>();
  /** Terms of the last `PlayedUnder`. */
  private under?: Events["PlayedUnder"];
  /** Channels and terms of tracked channel matches. */
  private readonly brought = new Map<bigint, { opened: Events["Opened"]; terms?: Terms }>();
  /** Lasting events, by address, name and value of the first field. */
  private readonly lasting = new Map<string, AnyEvent[]>();

  constructor({ provider, addresses, chainId }: EventSource) {
    super(provider, addresses, chainId);
  }

  /** Adds the next event; drops the events of matches that are not tracked. */
  add(event: AnyEvent): void {
    const { address, name, args } = event;
    if (name === "Opened") this.opened.set(args.channelId, args);
    if (name === "Balanced" && args.closed) this.opened.delete(args.channelId);
    if (name === "PlayedUnder") this.under = args;
    if (name === "Played" || name === "Challenged") this.bring(args);
    if (name === "Started")
      Object.assign(this.brought.get(args.matchId) ?? {}, { terms: this.numbered.get(args.termsId) });
    if (name === "TermsAdded") this.numbered.set(args.termsId, args.terms);
    if (name === "TermsAdded") this.added.set(termsHash(args.terms), args.terms);
    else if ("matchId" in args) this.matches.get(args.matchId)?.push(event);
    else if (isLasting(name)) {
      const key = [address, name, Object.values(args)[0]].join(" ");
      this.lasting.set(key, [...(this.lasting.get(key) ?? []), event]);
    }
  }

  /** Keeps the events of a match from now on. */
  track(matchId: bigint): void {
    if (!this.tracks(matchId)) this.matches.set(matchId, []);
  }

  /** Returns whether the events of a match are kept. */
  tracks(matchId: bigint): boolean {
    return this.matches.has(matchId);
  }

  /** Forgets the events of a match. */
  forget(matchId: bigint): void {
    this.matches.delete(matchId);
    this.brought.delete(matchId);
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
    const events = isLasting(name)
      ? values.flatMap((value) => this.lasting.get([address, name, value].join(" ")) ?? [])
      : values.flatMap((value) => this.matches.get(value as bigint) ?? []);
    const found = events.filter((event) => event.address === address && event.name === name && event.block >= from);
    return (found as unknown as ChainEvent<N>[]).filter((event) => fits(event, where));
  }

  protected override async aboutChannelMatch(matchId: bigint): Promise<ChannelMatchEvents | undefined> {
    const { opened, terms } = this.brought.get(matchId) ?? {};
    return opened && terms && { opened, terms, events: this.matches.get(matchId)! };
  }

  private bring({ channelId, matchId }: Events["Played"]): void {
    const [opened, { under }] = [this.opened.get(channelId), this];
    // For a match that goes to the arena, a later event contains the terms.
    const terms = opened && under && termsUnder(under, opened);
    if (opened && this.tracks(matchId)) this.brought.set(matchId, { opened, terms });
  }

  protected override async about(matchId: bigint): Promise<readonly AnyEvent[]> {
    const { Arena } = this.addresses;
    const events = this.matches.get(matchId) ?? [];
    const created = events.find(({ address }) => address === Arena);
    if (created?.name !== "Created") return [];
    const { game } = await this.terms(created.args.termsHash);
    return events.filter(({ name, address }) => address === (name === "Log" ? game : Arena));
  }
}

/** Returns whether events with a given name outlive matches; such events are found by their first field. */
function isLasting(name: EventName): boolean {
  return name === "ModeRegistered" || isMintName(name);
}
