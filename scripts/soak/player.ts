import type { Signer } from "ethers";
import type { Addresses } from "../../sdk/chain/addresses.js";
import type { Archive } from "../../sdk/chain/archive.js";
import { Client, COIN } from "../../sdk/player/client.js";
import type { Keeper } from "../../sdk/games/moves.js";
import { keeperWith, walletKeys } from "../../sdk/player/secrets.js";
import type { Feed } from "./feed.js";
import type { Luck } from "./luck.js";

/** A wallet, and what its owner keeps beside it. */
export class Player {
  private archive: Archive;
  private readonly keepers = new Map<string, Keeper>();

  private constructor(
    public client: Client,
    private readonly feed: Feed,
    private readonly luck: Luck,
  ) {
    this.archive = feed.fresh();
  }

  static async with(signer: Signer, addresses: Addresses, feed: Feed, luck: Luck): Promise<Player> {
    return new Player(await Client.connect(addresses, signer), feed, luck);
  }

  get address(): string {
    return this.client.address;
  }

  /** What it has read of the chain, which is all there is. */
  get history(): Archive {
    this.feed.bring(this.archive);
    return this.archive;
  }

  /** Loses everything but the wallet. */
  async forget(): Promise<void> {
    const { addresses, signer } = this.client;
    this.client = await Client.connect(addresses, signer);
    this.archive = this.feed.fresh();
    this.keepers.clear();
  }

  /** Who keeps its secrets in a game; made from the wallet if there is nobody yet. */
  async keeperAt(game: string): Promise<Keeper> {
    const known = this.keepers.get(game);
    if (known) return known;
    const { signer, chainId, addresses } = this.client;
    const keeper = keeperWith(await walletKeys(signer, chainId, addresses.Arena), this.client.sealer(game));
    this.keepers.set(game, keeper);
    return keeper;
  }

  purseOf(token: string): Promise<bigint> {
    return this.client.arena.purseOf(this.address, token);
  }

  /** Pays into its purse, in one of the ways there are. */
  async deposit(token: string, amount: bigint): Promise<void> {
    const ways = [
      () => this.client.deposit(token, amount),
      () => this.client.depositWithPermit(token, amount),
      () => this.client.transferDeposit(token, amount),
    ];
    await (token === COIN ? ways[0] : this.luck.pick(ways))();
  }

  /** Sees to it that its purse covers a stake. @returns the coin to send along, if it chooses to. */
  async provide(token: string, stake: bigint): Promise<bigint> {
    const purse = await this.purseOf(token);
    if (purse >= stake && this.luck.likely(75)) return 0n;
    if (token === COIN && this.luck.likely(50)) return stake + BigInt(this.luck.below(3));
    await this.deposit(token, stake + BigInt(this.luck.below(1000)));
    return 0n;
  }

  /** Takes all out of its purse. */
  async withdrawAll(token: string): Promise<void> {
    const purse = await this.purseOf(token);
    if (purse > 0n) await this.client.withdraw(token, purse);
  }
}
