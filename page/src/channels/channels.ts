import { effect, signal, type ReadonlySignal } from "@preact/signals";
import {
  channelIdOf,
  channelOf,
  Client,
  locksTooLong,
  machineClock,
  Meeting,
  nextTime,
  reasonOf,
  relayPlace,
  type Channel,
  type ChannelsAt,
  type Found,
  type MeetingPlace,
  type Search,
  type Seek,
  type Seeker,
  type Terms,
} from "duello";
import { computeAddress, VoidSigner, ZeroAddress } from "ethers";
import { timeAt } from "../parts/text.ts";
import { player } from "../player/current.ts";
import type { Player } from "../player/player.ts";
import { linkTo, open, route } from "../router.ts";
import type { Chain } from "../store/chain.ts";
import { waitingChannels, type WaitingChannel } from "../store/notices.ts";
import { ChannelStore, type KeptChannel } from "./kept.ts";
import { relaysOf } from "./relays.ts";
import { ChannelSeat } from "./seat.ts";
import { waitingIn } from "./stand.ts";

/** Milliseconds between two checks for an answer. */
const PAUSE = 2_000;

/** Meeting place of the players of a deployment. */
export interface ChannelsPlace extends MeetingPlace {
  readonly at: ChannelsAt;
  /** House fee of channels that are opened now, in basis points. */
  feeBps(): Promise<bigint>;
}

/** Search of a person, without the values that come from the chain. */
type Wanted = Omit<Search, "feeBps" | "until" | "terms"> & { readonly terms?: Omit<Terms, "feeBps"> };

const places = new WeakMap<Chain, Promise<ChannelsPlace>>();

/** Returns the meeting place of a chain whose deployment names a relay. */
export function placeOf(chain: Chain): Promise<ChannelsPlace> {
  const known = places.get(chain) ?? openPlace(chain);
  places.set(chain, known);
  // A failed read is tried again.
  known.catch(() => places.delete(chain));
  return known;
}

async function openPlace(chain: Chain): Promise<ChannelsPlace> {
  const { deployment, provider } = chain;
  const { arena } = await Client.connect(deployment.addresses, [], new VoidSigner(ZeroAddress, provider));
  const { at, relays } = relaysOf(chain);
  return { ...relayPlace(relays, at), at, feeBps: async () => arena.feeBps() };
}

const known = new WeakMap<Player, Promise<Channels>>();

/** Returns the channels of a player; the first call starts to follow them. */
export function channelsOf(you: Player): Promise<Channels> {
  const found = known.get(you) ?? Channels.open(you);
  known.set(you, found);
  found.catch(() => known.delete(you));
  return found;
}

/** Channels of a player: all of them are followed while the page is open. */
export class Channels {
  private readonly list = signal<readonly ChannelSeat[]>([]);
  private readonly sought = signal<Search | undefined>(undefined);
  private readonly failure = signal<string | undefined>(undefined);
  private searching = new AbortController();
  private telling = () => {};
  /** Channels that were last published as waiting for the person. */
  private told: readonly WaitingChannel[] = [];
  private isStopped = false;

  private constructor(
    readonly you: Player,
    readonly place: ChannelsPlace,
    private readonly store: ChannelStore,
    private readonly seeker: Seeker,
  ) {}

  static async open(you: Player): Promise<Channels> {
    const place = await placeOf(you.chain);
    const { at } = place;
    const store = await ChannelStore.of(you, at);
    const channels = new Channels(you, place, store, { at, player: you.address, key: await store.key() });
    const [kept, search] = await Promise.all([store.channels(), store.search()]);
    for (const each of kept) channels.start(channels.seatOf(each));
    if (search) channels.begin(search);
    const end = effect(() => {
      if (player.value !== you) queueMicrotask(() => (end(), channels.stop()));
    });
    channels.telling = effect(() => channels.tell(channels.seats.value.flatMap(waitingIn)));
    return channels;
  }

  /** Seats of all channels, the newest last. */
  get seats(): ReadonlySignal<readonly ChannelSeat[]> {
    return this.list;
  }

  /** Current search of the player. */
  get search(): ReadonlySignal<Search | undefined> {
    return this.sought;
  }

  /** Reason why nothing can be found now, in a sentence. */
  get trouble(): ReadonlySignal<string | undefined> {
    return this.failure;
  }

  /**
   * Looks for another player. Prepares the purse and the keys first, so that the wallet only signs later.
   * @param wanted Search, with the terms of a first match as entered in a form.
   * @param span Seconds for which the channel may be open.
   */
  async look({ terms, ...wanted }: Wanted, span: number): Promise<void> {
    const feeBps = await this.place.feeBps();
    const until = (await nextTime(this.you.chain.provider)) + span;
    const search: Search = { ...wanted, feeBps, until, ...(terms && { terms: { ...terms, feeBps } }) };
    await this.prepare(search.token, search.amount);
    await this.store.keepSearch(search);
    this.begin(search);
  }

  /** Ends the search. */
  async stopLooking(): Promise<void> {
    this.end();
    await this.store.keepSearch(undefined);
  }

  /** Answers a search of another player: the wallet signs the opening of the channel. */
  async answer(seek: Seek): Promise<void> {
    const feeBps = await this.place.feeBps();
    if (seek.feeBps !== feeBps) throw new Error(`The house fee is ${feeBps} basis points, not ${seek.feeBps}.`);
    if (locksTooLong(seek, await nextTime(this.you.chain.provider))) {
      throw new Error(`Your money would be locked until ${timeAt(seek.until)}: that is more than a month.`);
    }
    await this.prepare(seek.token, seek.otherAmount);
    const seat = await this.take(channelOf(seek, this.you.address, computeAddress(this.seeker.key)), 2);
    await seat.propose(seek.amount, seek.otherAmount, seek.until);
    open(linkTo("channel", [seat.id]));
  }

  private async prepare(token: string, amount: bigint): Promise<void> {
    await this.you.keyring.keys();
    await this.you.cover(token, amount);
  }

  private begin(search: Search): void {
    this.end();
    this.searching = new AbortController();
    this.sought.value = search;
    void this.run(search, this.searching.signal);
  }

  private end(): void {
    this.searching.abort();
    [this.sought.value, this.failure.value] = [undefined, undefined];
  }

  /** Publishes which channels wait for the person. */
  private tell(waiting: readonly WaitingChannel[]): void {
    if (player.peek() === this.you) waitingChannels.value = this.told = waiting;
  }

  private stop(): void {
    this.isStopped = true;
    this.end();
    this.telling();
    if (waitingChannels.peek() === this.told) waitingChannels.value = [];
    for (const seat of this.list.peek()) seat.stop();
  }

  /** Looks for another player until a player is found, or the signal aborts. */
  private async run(search: Search, signal: AbortSignal): Promise<void> {
    const meeting = new Meeting(this.place, this.seeker, this.you.chain.provider, search);
    for (; !signal.aborted; await machineClock.pause(PAUSE, signal).catch(() => undefined)) {
      try {
        const found = await meeting.look(this.agreed);
        if (signal.aborted) return;
        this.failure.value = undefined;
        if (found) return await this.meet(found, search);
      } catch (error) {
        if (!signal.aborted) this.failure.value = reasonOf(error);
      }
    }
  }

  /**
   * Ends the search, and answers the player it found. A wallet that refuses is asked again only at the person's
   * request.
   */
  private async meet(found: Found, { terms }: Search): Promise<void> {
    await this.stopLooking();
    try {
      if ("sought" in found) return await this.answer(found.sought);
      const { channel, opening } = found.proposed;
      const seat = await this.take(channel, 1, terms);
      seat.consent(opening);
      if (["lobby", "sit"].includes(route.peek().name)) open(linkTo("channel", [seat.id]));
    } catch (error) {
      this.failure.value = reasonOf(error);
    }
  }

  /** Channels whose next opening the player has agreed to, or may have agreed to. */
  private get agreed(): Channel[] {
    const seats = this.list.peek().filter(({ kept, state }) => {
      const consents = state.peek()?.status.consents;
      return consents === undefined || consents.includes(kept.player);
    });
    return seats.map(({ kept }) => kept.channel);
  }

  /** Takes the seat in a channel. Stores the channel before anything in it is signed. */
  private async take(channel: Channel, number: 1 | 2, terms?: Terms): Promise<ChannelSeat> {
    const id = channelIdOf(channel);
    const known = this.list.peek().find((seat) => seat.id === id);
    if (known) return known;
    const block = await this.you.chain.provider.getBlockNumber();
    const seat = this.seatOf({ channel, player: number, block, ...(terms && { terms }) });
    await this.store.keep(seat.id, seat.kept);
    this.start(seat);
    return seat;
  }

  private seatOf(kept: KeptChannel): ChannelSeat {
    const { you, seeker, place, store } = this;
    return new ChannelSeat(kept, { you, seeker, place, logOf: (id) => store.logOf(id) });
  }

  private start(seat: ChannelSeat): void {
    if (this.isStopped) throw new Error("The account or the chain has changed: nothing was signed.");
    this.list.value = [...this.list.peek(), seat];
    seat.start();
  }
}
