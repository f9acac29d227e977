import { ZeroHash } from "ethers";
import type { AnyEvent } from "../chain/events.js";
import type { Hex } from "../protocol/hex.js";

/** Follows the registered modes of a game, event by event. */
export class ModeRegistry<M> {
  private readonly contents = new Map<string, Hex>();

  /**
   * @param game Address of the game.
   * @param usual The default mode.
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

  /** Returns a mode by its content hash. @throws Error if it was not registered. */
  of(mode: string): M {
    if (mode === ZeroHash) return this.usual;
    const content = this.contents.get(mode);
    if (content === undefined) throw new Error(`The mode ${mode} was never registered with the game ${this.game}.`);
    return this.decode(content);
  }
}
