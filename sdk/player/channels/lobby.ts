import { computeAddress, type SigningKey } from "ethers";
import { channelIdOf, type Channel, type ChannelsAt } from "../../protocol/channels/messages.js";
import {
  isSignedSeek,
  isSoughtIn,
  readSeek,
  SEEK_SECONDS,
  signedSeek,
  type Search,
  type Seek,
} from "../../protocol/channels/seek.js";
import { plainText, readChannel } from "../../protocol/channels/wire.js";
import { listUpTo, object } from "../../protocol/input.js";
import { machineClock, type Clock } from "../../chain/waiting.js";
import { listedSeeks } from "./listed-seeks.js";
import { askAll, RelayClient, type RelayOptions } from "./relay-client.js";

/** Maximum number of channels in an answer. */
const MAX_CHANNELS = 64;

const readChannels = object({ channels: listUpTo((value) => value, MAX_CHANNELS) });

/**
 * Lobby of one or several relays, where players search for opponents. While a player waits, it keeps renewing its
 * search and checks whether someone has created a channel with its key.
 * @example
 * ```ts
 * import { RelayLobby } from "duello";
 *
 * const lobby = new RelayLobby(relays, channelsAt);
 * await lobby.put(seek);
 * const others = await lobby.seeks(alice);
 * ```
 */
export class RelayLobby {
  private readonly relays: readonly RelayClient[];
  private readonly clock: Clock;
  /** Searches of the last answers, by their text. Most searches appear again, and checking one takes a millisecond. */
  private read = new Map<string, Seek[]>();

  /** @param relays URLs of the relays. @throws InputError for a URL that is not HTTP */
  constructor(
    relays: readonly string[],
    private readonly at: ChannelsAt,
    options: RelayOptions = {},
  ) {
    this.relays = relays.map((url) => new RelayClient(url, at, options));
    this.clock = options.clock ?? machineClock;
  }

  /** Puts or renews a search. @throws RelayTrouble if no relay accepts it */
  async put(seek: Seek): Promise<void> {
    const body = plainText(seek);
    await askAll(this.relays, (relay) => relay.ask("lobby", (value) => value, body));
  }

  /** Returns the searches that a player may answer, only the newest per key and opponent. @throws RelayTrouble */
  async seeks(player: string): Promise<Seek[]> {
    const listed = await listedSeeks(this.relays, player);
    const seconds = Math.floor(this.clock.now() / 1000);
    const found = new Map<string, Seek>();
    const values = listed.map((value) => [JSON.stringify(value), value] as const);
    this.read = new Map(values.map(([text, value]) => [text, this.read.get(text) ?? this.signed(value)]));
    for (const seek of [...this.read.values()].flat()) {
      const name = `${seek.key} ${seek.opponent}`;
      const known = found.get(name);
      const isNewer = seek.expires >= seconds && seek.expires > (known?.expires ?? 0);
      if (isNewer && isSoughtIn(seek, player)) found.set(name, seek);
    }
    return [...found.values()];
  }

  /** Reads a search. Returns an empty list unless the search is signed with its key. */
  private signed(value: unknown): Seek[] {
    return readable(readSeek, value).filter((seek) => isSignedSeek(this.at, seek));
  }

  /** Returns the channels with a given session key that another player has consented to open. @throws RelayTrouble */
  async channels(key: string): Promise<Channel[]> {
    const answers = await askAll(this.relays, (relay) => relay.ask(`keys/${key}`, readChannels));
    const read = answers.flatMap(({ channels }) => channels.flatMap((value) => readable(readChannel, value)));
    const own = read.filter(({ key1, key2 }) => key === key1 || key === key2);
    return [...new Map(own.map((channel) => [channelIdOf(channel), channel])).values()];
  }
}

/** Lobby in which players search for others. */
export type Lobby = Pick<RelayLobby, "put" | "seeks" | "channels">;

/** Player that signs searches. */
export interface Seeker {
  at: ChannelsAt;
  /** Address of the player. */
  player: string;
  /** Session key of the player. */
  key: SigningKey;
}

/**
 * Search of a player in a lobby. It is renewed halfway through its lifetime.
 * @example
 * ```ts
 * import { RelayLobby, RenewedSearch } from "duello";
 *
 * const lobby = new RelayLobby(relays, channelsAt);
 * const renewed = new RenewedSearch(lobby, { at: channelsAt, player: alice, key: aliceKey });
 * renewed.isDue; // => true
 * ```
 */
export class RenewedSearch {
  private text?: string;
  private expires = 0;

  constructor(
    private readonly lobby: Pick<Lobby, "put">,
    private readonly seeker: Seeker,
    private readonly clock: Clock = machineClock,
  ) {}

  /** True once a search was put. */
  get wasPut(): boolean {
    return this.text !== undefined;
  }

  /** True if no search was put, or the last one expires soon. */
  get isDue(): boolean {
    return this.expires < this.seconds + SEEK_SECONDS / 2;
  }

  /** Puts a search, unless it is unchanged and not due. @throws like `RelayLobby.put` */
  async put(search: Search): Promise<void> {
    const text = plainText(search);
    if (text === this.text && !this.isDue) return;
    const { at, player, key } = this.seeker;
    const expires = this.seconds + SEEK_SECONDS;
    await this.lobby.put(signedSeek(key, at, { ...search, player, key: computeAddress(key), expires }));
    [this.text, this.expires] = [text, expires];
  }

  private get seconds(): number {
    return Math.floor(this.clock.now() / 1000);
  }
}

/** Reads a value; returns an empty list if it is malformed, so that the values after it are still read. */
function readable<T>(reader: (value: unknown, path: string) => T, value: unknown): T[] {
  try {
    return [reader(value, "answer")];
  } catch {
    return [];
  }
}
