import { ZeroHash } from "ethers";
import type { AnyEvent } from "../chain/events.js";
import type { Hex } from "../protocol/hex.js";

/** A game's modes, as its events go by. */
export class Modes<M> {
  private readonly contents = new Map<string, Hex>();

  /**
   * @param game Its address.
   * @param usual Its default.
   * @param decode Reads a mode's content.
   */
  constructor(
    private readonly game: string,
    private readonly usual: M,
    private readonly decode: (content: Hex) => M,
  ) {}

  take({ name, args, address }: AnyEvent): void {
    if (name === "ModeRegistered" && address === this.game) this.contents.set(args.mode, args.content);
  }

  /** A mode by its hash. @throws Error if it was not registered. */
  of(mode: string): M {
    if (mode === ZeroHash) return this.usual;
    const content = this.contents.get(mode);
    if (content === undefined) throw new Error(`The mode ${mode} was never registered with the game ${this.game}.`);
    return this.decode(content);
  }
}
