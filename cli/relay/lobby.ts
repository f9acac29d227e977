import { ZeroAddress } from "ethers";
import type { Channel, ChannelsAt } from "../../sdk/protocol/channels/messages.js";
import { isSignedSeek, isSoughtIn, SEEK_SECONDS, type Seek } from "../../sdk/protocol/channels/seek.js";
import { InputError } from "../../sdk/protocol/input.js";
import { Tally } from "../shared/server/tally.js";
import { Refusal } from "./refusal.js";

/** Seconds by which a player's clock may be ahead. */
const SKEW = 60;
/** Maximum number of searches that are listed. */
const MAX_LISTED = 200;

/** Limits of a lobby. */
export interface LobbyLimits {
  /** Maximum number of searches at once, in total and per client. */
  seeks: number;
  clientSeeks: number;
}

interface Entry {
  seek: Seek;
  end: number;
  client: string;
  /** True once a channel was made from this search, even before the search was last renewed. */
  isAnswered: boolean;
}

/** Searches for players, in memory only: players who are still there renew theirs. */
export class Lobby {
  /** Searches by key and opponent; the newest comes last. */
  private readonly found = new Map<string, Entry>();
  private readonly byClient = new Tally();

  /** @param seconds Returns the time, in seconds since 1970. */
  constructor(
    private readonly at: ChannelsAt,
    private readonly limits: LobbyLimits,
    private readonly seconds: () => number,
  ) {}

  /** Number of searches. */
  get count(): number {
    this.dropEnded();
    return this.found.size;
  }

  /** Adds or renews a search. @throws Refusal, InputError */
  put(seek: Seek, client: string): void {
    this.dropEnded();
    const { key, opponent, expires } = seek;
    const now = this.seconds();
    const latest = now + SEEK_SECONDS + SKEW;
    if (expires < now || expires > latest) throw new InputError("expires", `${expires} is not ${now} to ${latest}`);
    if (!isSignedSeek(this.at, seek)) throw new InputError("signature", `${key} has not signed this`);
    const name = `${key} ${opponent}`;
    const known = this.found.get(name);
    if (known && known.seek.expires > expires) throw new InputError("expires", `${expires} is older than the present`);
    // Anybody can send a search again after reading it here. Such a repetition changes nothing.
    if (known?.seek.signature === seek.signature) return;
    const { seeks, clientSeeks } = this.limits;
    const others = this.byClient.of(client) - (known?.client === client ? 1 : 0);
    if (others >= clientSeeks) {
      throw new Refusal("client-seeks", `${client} searches ${clientSeeks} times at once, the most`);
    }
    if (!known && this.found.size >= seeks) throw new Refusal("full", `there are ${seeks} searches, the most`);
    if (known) this.remove(name, known.client);
    const isAnswered = known?.isAnswered ?? false;
    this.found.set(name, { seek, end: Math.min(expires, now + SEEK_SECONDS), client, isAnswered });
    this.byClient.add(client);
  }

  /** Returns searches that a player may answer, newest first; searches that name the player precede all others. */
  for(player: string): Seek[] {
    this.dropEnded();
    const all = [...this.found.values()].map(({ seek }) => seek).toReversed();
    const sought = all.filter((seek) => isSoughtIn(seek, player));
    const own = sought.filter(({ opponent }) => opponent !== ZeroAddress);
    return [...own, ...sought.filter(({ opponent }) => opponent === ZeroAddress)].slice(0, MAX_LISTED);
  }

  /** Returns the client whose search this channel answers; undefined if there is none, or it was answered before. */
  answer({ player1, key1, player2 }: Channel): string | undefined {
    this.dropEnded();
    const found = [player2, ZeroAddress].map((opponent) => this.found.get(`${key1} ${opponent}`));
    const entry = found.find((each) => each && !each.isAnswered && each.seek.player === player1);
    if (!entry) return undefined;
    entry.isAnswered = true;
    return entry.client;
  }

  private dropEnded(): void {
    const now = this.seconds();
    for (const [name, { end, client }] of this.found) if (end < now) this.remove(name, client);
  }

  private remove(name: string, client: string): void {
    this.found.delete(name);
    this.byClient.remove(client);
  }
}
