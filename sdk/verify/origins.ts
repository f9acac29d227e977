import type { Addresses } from "../chain/addresses.js";
import { bytesOf, hexOf } from "../protocol/bytes.js";
import type { AnyEvent, EventName } from "../chain/events.js";
import { games } from "../games/index.js";
import { keccak } from "../protocol/hash.js";
import type { Hex } from "../protocol/hex.js";
import { mismatchAt, type LocatedMismatch } from "../chain/mismatch.js";
import type { Referee } from "./referee.js";

/** Who may tell what in a deployment: every contract its own events, a game those of its matches and modes. */
export class Origins {
  private readonly writers: Partial<Record<EventName, readonly string[]>>;
  /** By game and hash. */
  private readonly modes = new Set<string>();

  constructor(
    private readonly addresses: Addresses,
    private readonly referee: Referee,
  ) {
    const { Fighters, GuardianCards } = addresses;
    const own = games.map(({ contract }) => addresses[contract]);
    const tokens = { FighterMinted: [Fighters], CardMinted: [GuardianCards], Transfer: [Fighters, GuardianCards] };
    this.writers = { Log: own, ModeRegistered: own, ...tokens };
  }

  /** What speaks against an event having been written at all. */
  mismatchIn(event: AnyEvent): LocatedMismatch | undefined {
    const { name, args, address } = event;
    const writers = this.writers[name] ?? [this.addresses.Arena];
    if (!writers.includes(address)) return mismatchAt(event, "the contract", writers.join(" or "), address);
    if (name === "Log" && !this.referee.isPlayed(args.matchId, address)) {
      return mismatchAt(event, "the match", `one in play of ${address}`, args.matchId);
    }
    return name === "ModeRegistered" ? this.mismatchInMode(event, args.mode, args.content) : undefined;
  }

  /** A game tells of a mode once, by the hash of its content. */
  private mismatchInMode(event: AnyEvent, mode: Hex, content: Hex): LocatedMismatch | undefined {
    const hash = hexOf(keccak(bytesOf(content)));
    if (mode !== hash) return mismatchAt(event, "the mode", hash, mode);
    const key = `${event.address} ${mode}`;
    if (this.modes.has(key)) return mismatchAt(event, "the mode", "a new one", mode);
    this.modes.add(key);
    return undefined;
  }
}
