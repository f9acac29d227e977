import type { Provider } from "ethers";
import type { Hex } from "../protocol/hex.js";
import type { Addresses } from "./addresses.js";
import type { CharacterContract } from "./character-contract.js";
import { mintedNumbers, NeverMinted } from "./characters.js";
import { History, UnregisteredMode } from "./history.js";

/** A history that answers only from the events that a subclass stores. It calls no contract. */
export abstract class EventHistory extends History {
  constructor(
    provider: Provider,
    addresses: Addresses,
    readonly chainId: bigint,
  ) {
    super(provider, addresses);
  }

  /** Returns this history itself: its reads already end at one block. */
  override async snapshot(): Promise<History> {
    return this;
  }

  override async mode(game: string, mode: Hex): Promise<Hex> {
    const [registered] = await this.events(game, "ModeRegistered", { mode });
    if (!registered) throw new UnregisteredMode(mode, game);
    return registered.args.content;
  }

  override async characterNumbers(kind: CharacterContract, id: bigint): Promise<number[]> {
    const { contract, noun, minted } = kind;
    const [event] = await this.events(this.addresses[contract], minted, { id });
    if (!event) throw new NeverMinted(noun, id);
    return mintedNumbers(kind, event.args);
  }

  protected override async chain(): Promise<bigint> {
    return this.chainId;
  }
}
