import { ZeroAddress } from "ethers";
import type { Channel, ChannelsAt } from "../../../sdk/protocol/channels/messages.js";
import type { Seek } from "../../../sdk/protocol/channels/seek.js";
import { Tally } from "../../shared/server/tally.js";
import { admitSeek, checkSeek, listedSeeks, type SeekLimits, type StoredSeek } from "../seeks.js";
import type { SeekStore } from "../store.js";

/** Searches for players, in memory only: players who are still there renew theirs. */
export class Lobby implements SeekStore {
  /** Searches by key and opponent; the newest comes last. */
  private readonly found = new Map<string, StoredSeek>();
  private readonly byClient = new Tally();

  /** @param seconds Returns the time, in seconds since 1970. */
  constructor(
    private readonly at: ChannelsAt,
    private readonly limits: SeekLimits,
    private readonly seconds: () => number,
  ) {}

  async count(): Promise<number> {
    this.dropEnded();
    return this.found.size;
  }

  async put(seek: Seek, client: string): Promise<void> {
    this.dropEnded();
    const now = this.seconds();
    checkSeek(this.at, seek, now);
    const name = `${seek.key} ${seek.opponent}`;
    const known = this.found.get(name);
    const held = { known, ofClient: this.byClient.of(client), total: this.found.size };
    const stored = admitSeek(seek, client, now, held, this.limits);
    if (!stored) return;
    if (known) this.remove(name, known.client);
    this.found.set(name, stored);
    this.byClient.add(client);
  }

  async for(player: string): Promise<Seek[]> {
    this.dropEnded();
    const newestFirst = [...this.found.values()].map(({ seek }) => seek).toReversed();
    return listedSeeks(newestFirst, player);
  }

  async answer({ player1, key1, player2 }: Channel): Promise<string | undefined> {
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
