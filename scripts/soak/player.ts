import { games } from "../../sdk/games/index.js";
import { COIN } from "../../sdk/protocol/terms.js";
import type { Signer } from "ethers";
import type { Addresses } from "../../sdk/chain/addresses.js";
import type { Archive } from "../../sdk/chain/archive.js";
import type { History } from "../../sdk/chain/history.js";
import { latestBlock } from "../../sdk/chain/source.js";
import { Client } from "../../sdk/player/client.js";
import type { SecretStore } from "../../sdk/games/moves.js";
import { walletSecretStore } from "../../sdk/player/secrets.js";
import type { EventFeed } from "./event-feed.js";
import type { Random } from "./random.js";

/** A player: a wallet, and the data that its owner stores in addition. */
export class Player {
  private archive: Archive;
  private readonly secretStores = new Map<string, SecretStore>();

  private constructor(
    public client: Client,
    private readonly feed: EventFeed,
    private readonly random: Random,
  ) {
    this.archive = feed.newArchive();
  }

  static async with(signer: Signer, addresses: Addresses, feed: EventFeed, random: Random): Promise<Player> {
    return new Player(await Client.connect(addresses, games, signer), feed, random);
  }

  get address(): string {
    return this.client.address;
  }

  /** The player's view of the chain: an archive of all events. */
  get history(): Archive {
    this.feed.update(this.archive);
    return this.archive;
  }

  /** Returns the player's view of the chain as of the latest block. */
  async snapshot(): Promise<History> {
    const { history } = this;
    const pinned = await latestBlock(history.provider);
    const snapshot = async () => pinnedHistory;
    const pinnedHistory = Object.create(history, {
      pinned: { value: pinned },
      snapshot: { value: snapshot },
    }) as History;
    return pinnedHistory;
  }

  /** Loses everything except the wallet. */
  async forget(): Promise<void> {
    const { addresses, signer } = this.client;
    this.client = await Client.connect(addresses, games, signer);
    this.archive = this.feed.newArchive();
    this.secretStores.clear();
  }

  /** Returns the player's secret store in a game, derived from the wallet. */
  async secretStoreAt(game: string): Promise<SecretStore> {
    const known = this.secretStores.get(game);
    if (known) return known;
    const secretStore = await walletSecretStore(this.client, game);
    this.secretStores.set(game, secretStore);
    return secretStore;
  }

  purseOf(token: string): Promise<bigint> {
    return this.client.arena.purseOf(this.address, token);
  }

  /** Pays an amount into the player's purse in a random way. */
  async deposit(token: string, amount: bigint): Promise<void> {
    const ways = [
      () => this.client.deposit(token, amount),
      () => this.client.depositWithPermit(token, amount),
      () => this.client.transferDeposit(token, amount),
    ];
    await (token === COIN ? ways[0] : this.random.pick(ways))();
  }

  /** Makes sure that the player can pay a stake. @returns the coin to send with the call; 0 to pay from the purse. */
  async provide(token: string, stake: bigint): Promise<bigint> {
    const purse = await this.purseOf(token);
    if (purse >= stake && this.random.likely(75)) return 0n;
    if (token === COIN && this.random.likely(50)) return stake + BigInt(this.random.below(3));
    await this.deposit(token, stake + BigInt(this.random.below(1000)));
    return 0n;
  }

  /** Withdraws everything from the player's purse. */
  async withdrawAll(token: string): Promise<void> {
    const purse = await this.purseOf(token);
    if (purse > 0n) await this.client.withdraw(token, purse);
  }
}
