import type { Addresses } from "../chain/addresses.js";
import { bytesOf, hexOf } from "../protocol/bytes.js";
import { channelEvents, channelsOf } from "../chain/channels.js";
import { isOfChannelMatch, type AnyEvent, type ChainEvent, type EventName } from "../chain/events.js";
import { keccak } from "../protocol/hash.js";
import type { Hex } from "../protocol/hex.js";
import { deployedCharacters, deployedGames } from "../games/list.js";
import type { GameModule } from "../games/module.js";
import { mismatchAt, type LocatedMismatch } from "../chain/mismatch.js";
import { PairMap } from "./pair-map.js";
import type { Referee } from "./referee.js";

/** Lists the contracts that may emit events other than the arena's, by the name of the event. */
export function emittersAmong(
  games: readonly GameModule[],
  addresses: Addresses,
): Partial<Record<EventName, readonly string[]>> {
  const own = deployedGames(games, addresses).map(({ contract }) => addresses[contract]);
  const kinds = deployedCharacters(games, addresses);
  const tokens = kinds.map(({ contract }) => addresses[contract]);
  const mints = Object.fromEntries(kinds.map(({ minted }, i) => [minted, [tokens[i]]]));
  const channels = [channelsOf(addresses.Arena)];
  const ofChannels = Object.fromEntries(channelEvents.map((name) => [name, channels]));
  return { ...ofChannels, Log: own, ModeRegistered: own, Transfer: tokens, ...mints };
}

/** Decides which contract may emit which event. A game may emit events only about its own matches and modes. */
export class Emitters {
  /** Addresses by the name of the event, except for the arena's events. */
  private readonly emitters: Partial<Record<EventName, readonly string[]>>;
  /** Registered modes, by game and hash. */
  private readonly modes = new PairMap<true>();
  /** Logs of channel matches that precede the events of their matches. */
  private logs: ChainEvent<"Log">[] = [];

  constructor(
    private readonly addresses: Addresses,
    games: readonly GameModule[],
    private readonly referee: Referee,
  ) {
    this.emitters = emittersAmong(games, addresses);
  }

  /** Returns the mismatch of an event that its contract cannot have emitted. */
  mismatchIn(event: AnyEvent): LocatedMismatch | undefined {
    const { name, args, address } = event;
    const emitters = this.emitters[name] ?? [this.addresses.Arena];
    if (!emitters.includes(address)) return mismatchAt(event, "the contract", emitters.join(" or "), address);
    const stray = this.strayLog(event);
    if (stray) return stray;
    if (name === "Log" && isOfChannelMatch(event) && !this.referee.isOpen(args.matchId, address)) {
      this.logs.push(event);
      return undefined;
    }
    if (name === "Log" && !this.referee.isOpen(args.matchId, address)) {
      return mismatchAt(event, "the match", `one in play of ${address}`, args.matchId);
    }
    return name === "ModeRegistered" ? this.mismatchInMode(event, args.mode, args.content) : undefined;
  }

  /**
   * Returns the mismatch of a log whose match no channel submits on chain in the same transaction.
   * @param next The next event; undefined after the last one.
   */
  strayLog(next?: AnyEvent): LocatedMismatch | undefined {
    if (next?.name === "Played" || next?.name === "Challenged") {
      this.logs = this.logs.filter(
        (log) => log.transaction !== next.transaction || log.args.matchId !== next.args.matchId,
      );
    }
    const stray = this.logs.find((log) => log.transaction !== next?.transaction);
    return stray && mismatchAt(stray, "the match", "one that a channel brings in this transaction", stray.args.matchId);
  }

  /** Returns the mismatch of a mode whose hash is not the hash of its content, or that was registered before. */
  private mismatchInMode(event: AnyEvent, mode: Hex, content: Hex): LocatedMismatch | undefined {
    const hash = hexOf(keccak(bytesOf(content)));
    if (mode !== hash) return mismatchAt(event, "the mode", hash, mode);
    if (this.modes.get(event.address, mode)) return mismatchAt(event, "the mode", "a new one", mode);
    this.modes.set(event.address, mode, true);
    return undefined;
  }
}
