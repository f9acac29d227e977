import { computeAddress, ZeroAddress, type Provider } from "ethers";
import type { Clock } from "../../chain/waiting.js";
import { channelIdOf, sessionKeyOf, type Channel, type ChannelsAt } from "../../protocol/channels/messages.js";
import { isMirrored, type Search, type Seek } from "../../protocol/channels/seek.js";
import type { ChannelPlayerNumber, OpenMessage } from "../../protocol/channels/wire.js";
import { termsHash } from "../../protocol/terms.js";
import { consentIn } from "./consent.js";
import { RelayLobby, RenewedSearch, type Lobby, type Seeker } from "./lobby.js";
import type { RelayOptions } from "./relay-client.js";
import { RelayNews } from "./relay-news.js";
import { RelayChannelTransport } from "./relay-transport.js";
import type { ChannelTransport } from "./transport.js";

/** Place where players meet: a lobby, and transports for their channels. */
export interface MeetingPlace {
  readonly lobby: Lobby;
  /** @param player Number of the reading player in the channel. */
  transportOf(channel: Channel, player: ChannelPlayerNumber): ChannelTransport;
  /** Closes the connections that transports wait on. */
  close(): void;
}

/**
 * Returns the meeting place of relays.
 * @throws InputError for a URL that is not HTTP
 * @example
 * ```ts
 * import { relayPlace } from "duello";
 *
 * const place = relayPlace(relays, channelsAt);
 * const others = await place.lobby.seeks(alice);
 * place.close();
 * ```
 */
export function relayPlace(relays: readonly string[], at: ChannelsAt, options: RelayOptions = {}): MeetingPlace {
  const known = new Map<string, readonly RelayNews[]>();
  const newsOf = (key: string) => {
    const news = known.get(key) ?? relays.map((url) => new RelayNews(url, at, key, options));
    known.set(key, news);
    return news;
  };
  return {
    lobby: new RelayLobby(relays, at, options),
    transportOf: (channel, player) => {
      const news = newsOf(sessionKeyOf(channel, player));
      return new RelayChannelTransport(relays, at, channel, { ...options, news });
    },
    close: () => [...known.values()].flat().forEach((news) => news.close()),
  };
}

/** Channel that another player has proposed, with its opening. */
export interface Proposed {
  channel: Channel;
  opening: OpenMessage;
}

/** Result of a check of the lobby: a channel that another player proposes, or a search to answer. */
export type Found = { proposed: Proposed } | { sought: Seek };

/** Maximum number of searches in the opponent's name to answer before a channel is open. */
const MAX_ANSWERED = 3;

/**
 * Search for one opponent, or for anybody, to open a channel with.
 * @example
 * ```ts
 * import { Meeting, relayPlace } from "duello";
 *
 * const seeker = { at: channelsAt, player: alice, key: aliceKey };
 * const meeting = new Meeting(relayPlace(relays, channelsAt), seeker, provider, search);
 * const found = await meeting.look();
 * if (found && "proposed" in found) console.log(found.proposed.channel.player1);
 * ```
 */
export class Meeting {
  /** Search of the named opponent that does not fit: the amounts or the end differ. */
  unfit?: Seek;
  private readonly own: RenewedSearch;
  /** True once this player has found a search to answer. */
  private hasAnswered = false;

  constructor(
    private readonly place: MeetingPlace,
    private readonly seeker: Seeker,
    private readonly provider: Provider,
    private readonly search: Search,
    clock?: Clock,
  ) {
    this.own = new RenewedSearch(place.lobby, seeker, clock);
  }

  /**
   * Checks the lobby once. Looks for a channel that another player has proposed for this search, then for a matching
   * search: of the named player or, without a name, of anyone who searches for this player or for anybody. If it finds
   * neither, puts this search. If two players search for each other, the player with the lower address answers.
   * @param agreed Channels whose next opening the player has agreed to; they are not found again.
   * @throws like the lobby, the transport and the provider
   */
  async look(agreed: readonly Channel[] = []): Promise<Found | undefined> {
    const { search, own, place, seeker } = this;
    const { player } = seeker;
    const isLower = BigInt(player) < BigInt(search.opponent);
    const between = agreed.filter(({ player1, player2, token }) => {
      return token === search.token && (this.isForAnybody || [player1, player2].includes(search.opponent));
    });
    // A key consents to only one opening of a channel at a time.
    const met = new Set(between.map(({ player1, key1, key2 }) => (player1 === player ? key2 : key1)));
    // If two players answer each other at the same time, only the channel that the lower address proposes opens.
    const ids = new Set(agreed.map(channelIdOf));
    const isNew = (channel: Channel) => !ids.has(channelIdOf(channel)) && (!isLower || !met.has(channel.key2));
    const proposed = await this.proposed(isNew);
    if (proposed) return { proposed };
    const seeks = (await place.lobby.seeks(player)).filter((seek) => this.isFromOther(seek) && !met.has(seek.key));
    const sought = seeks.find((seek) => isMirrored(search, seek));
    this.unfit = sought || this.isForAnybody ? undefined : seeks.at(0);
    const isAnswering = sought && (!own.wasPut || BigInt(player) < BigInt(sought.player));
    if (isAnswering && between.length < MAX_ANSWERED) {
      this.hasAnswered = true;
      return { sought };
    }
    // A player that answered before it put a search does not need one. The search would outlast the opening.
    if (!this.hasAnswered || own.wasPut) await own.put(search);
    return undefined;
  }

  private get isForAnybody(): boolean {
    return this.search.opponent === ZeroAddress;
  }

  /**
   * Returns whether a search is for a new channel with the same token and fee, and from the named player. If no player
   * is named and both searches contain terms, the terms must also be the same.
   */
  private isFromOther({ match, player, token, feeBps, terms }: Seek): boolean {
    const { search } = this;
    if (match !== undefined || token !== search.token || feeBps !== search.feeBps) return false;
    if (!this.isForAnybody) return player === search.opponent;
    return !terms || !search.terms || termsHash(terms) === termsHash(search.terms);
  }

  /** Finds a channel that another player has created in answer to this search. */
  private async proposed(isNew: (channel: Channel) => boolean): Promise<Proposed | undefined> {
    const { place, seeker, provider, search } = this;
    const key = computeAddress(seeker.key);
    const isAnswer = ({ player1, key1, player2, token, feeBps }: Channel) =>
      player1 === seeker.player &&
      key1 === key &&
      [player2, ZeroAddress].includes(search.opponent) &&
      token === search.token &&
      feeBps === search.feeBps;
    const isFit = ({ amount1, amount2, until }: OpenMessage) =>
      isMirrored(search, { amount: amount2, otherAmount: amount1, until });
    for (const channel of await place.lobby.channels(key)) {
      if (!isAnswer(channel) || !isNew(channel)) continue;
      // Anybody can name other players, and send messages that their wallets have not signed.
      const opening = await consentIn(provider, seeker.at, channel, place.transportOf(channel, 1), isFit);
      if (opening) return { channel, opening };
    }
    return undefined;
  }
}
