import type { Channel, ChannelPlayerNumber, ChannelsAt, Hex, Search, Terms } from "duello";
import { SigningKey } from "ethers";
import { keptKey } from "../player/keys.ts";
import type { Player } from "../player/player.ts";
import { database, databaseIfKept } from "../store/database.ts";

/** Channel of a player, as stored in this browser. */
export interface KeptChannel {
  readonly channel: Channel;
  /** The player's number in the channel. */
  readonly player: ChannelPlayerNumber;
  /** Block from which events of the channel are searched. */
  readonly block: number;
  /** Terms of the first match. */
  readonly terms?: Terms;
}

/** A player's channels, search and session key at a deployment, stored in this browser. */
export class ChannelStore {
  private constructor(private readonly name: string) {}

  /** @throws Error if the node does not have the first block of the chain. */
  static async of({ chain, address }: Player, { chainId, channels }: ChannelsAt): Promise<ChannelStore> {
    // Each start of a local chain begins a new chain under the same number.
    const first = await chain.provider.getBlock(0);
    if (!first) throw new Error("The node does not have the first block of the chain.");
    return new ChannelStore(`${chainId}/${first.hash}/${channels}/${address}`);
  }

  /** Returns the session key; creates it the first time. */
  async key(): Promise<SigningKey> {
    return new SigningKey(await keptKey(`channels/${this.name}`));
  }

  /** Returns the name that a channel's log and lock share. */
  logOf(id: Hex): string {
    return `log/${this.name}/${id}`;
  }

  async channels(): Promise<KeptChannel[]> {
    const range = IDBKeyRange.bound(`list/${this.name}/`, `list/${this.name}/\uffff`);
    return ((await (await databaseIfKept())?.getAll("channels", range)) ?? []) as KeptChannel[];
  }

  async keep(id: Hex, kept: KeptChannel): Promise<void> {
    await (await database()).put("channels", kept, `list/${this.name}/${id}`);
  }

  async search(): Promise<Search | undefined> {
    return (await (await databaseIfKept())?.get("channels", `search/${this.name}`)) as Search | undefined;
  }

  /** Stores the player's search, so that an answer is found after a reload. */
  async keepSearch(search: Search | undefined): Promise<void> {
    const store = await database();
    await (search
      ? store.put("channels", search, `search/${this.name}`)
      : store.delete("channels", `search/${this.name}`));
  }
}
