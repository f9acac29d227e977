import type { Provider } from "ethers";
import type { Hex } from "../protocol/hex.js";
import type { Addresses } from "./addresses.js";
import { NeverMinted, type CardStats, type FighterTraits } from "./characters.js";
import { History } from "./history.js";

/** A history that answers from events alone, which a subclass keeps: no contract is asked anything. */
export abstract class EventHistory extends History {
  constructor(
    provider: Provider,
    addresses: Addresses,
    readonly chainId: bigint,
  ) {
    super(provider, addresses);
  }

  /** Returns this history, which has one last block. */
  override async snapshot(): Promise<History> {
    return this;
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

  protected override async chain(): Promise<bigint> {
    return this.chainId;
  }
}
