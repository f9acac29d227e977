import {
  channelMessageText,
  hexBytes,
  MAX_ACTION_BYTES,
  readChannelMessage,
  type ChannelMessage,
  type ChannelPlayerNumber,
} from "../../protocol/channels/wire.js";
import type { Hex } from "../../protocol/hex.js";
import { bytes32, InputError, integer, object, oneOf, type Reader } from "../../protocol/input.js";
import { checkPlace } from "../log-place.js";
import type { ChannelOnChain } from "./chain.js";

/** Action that the player composed for the chain. */
export interface ComposedAction {
  type: "action";
  /** Number of the match. */
  nonce: number;
  /** Position, 32 bytes, for which the action was composed. */
  position: Hex;
  action: Hex;
}

/** Note that the player is about to challenge with a match. */
export interface ChallengeNote {
  type: "challenge";
  /** Number of the match. */
  nonce: number;
  /** Chain time, in seconds since 1970. */
  time: number;
}

/** Entry in a player's log of a channel: a checked message of either player, or an action of the player on chain. */
export type ChannelEntry = ChannelMessage | ComposedAction | ChallengeNote;

/**
 * Append-only log of a player in one channel. Everything that the player signs or sends is in the log first. Warning:
 * without the log, a player may sign a second message with the same number, unless a transport returns the first message.
 */
export interface ChannelLog {
  /** Reads all entries, oldest first. */
  read(): Promise<ChannelEntry[]>;
  /**
   * Adds an entry, and returns once it would survive a power failure.
   * @param place Number of entries before this entry.
   * @throws LogConflict if the log has another number of entries.
   */
  append(entry: ChannelEntry, place: number): Promise<void>;
}

/**
 * Returns the entries of a log that must stay once a channel is over: the newest consents and, if another opening with
 * their number could still be signed, one offer or balance. That entry stops the player from signing such an opening,
 * which would make old offers and balances valid again.
 * @param player Number of the player who owns the log.
 * @returns undefined while a signed message may still be valid, now or after another opening
 */
export function lastingEntries(
  entries: readonly ChannelEntry[],
  player: ChannelPlayerNumber,
  { open, matches, isFinal, firstNonce, finalTime }: ChannelOnChain,
): ChannelEntry[] | undefined {
  if (open || matches.length > 0 || !isFinal) return undefined;
  const consents = entries.filter((entry) => entry.type === "open");
  const newest = Math.max(...consents.map(({ nonce }) => nonce));
  const lasting = consents.filter(({ nonce }) => nonce === newest);
  if (newest >= firstNonce && lasting.some(({ until }) => until >= finalTime)) return undefined;
  // Messages of the next opening are valid only with the player's consent, and its only consent has expired.
  const isConsumed = newest >= firstNonce && lasting.some((consent) => consent.player === player);
  if (!isConsumed && !entries.every(({ nonce }) => nonce < firstNonce)) return undefined;
  const begun = entries.find(({ type, nonce }) => (type === "balance" || type === "offer") && nonce >= firstNonce);
  return begun ? [...lasting, begun] : lasting;
}

/**
 * Log in memory, for tests.
 * @example
 * ```ts
 * import { MemoryChannelLog } from "duello";
 *
 * const log = new MemoryChannelLog();
 * await log.append({ type: "challenge", nonce: 3, time: 1_893_456_000 }, 0);
 * (await log.read()).length; // => 1
 * ```
 */
export class MemoryChannelLog implements ChannelLog {
  private readonly lines: string[] = [];

  async read(): Promise<ChannelEntry[]> {
    return this.lines.map((line, i) => parseChannelEntry(line, `log:${i + 1}`));
  }

  async append(entry: ChannelEntry, place: number): Promise<void> {
    checkPlace(this.lines.length, place);
    this.lines.push(channelEntryText(entry));
  }
}

const readAction = object({
  type: oneOf("action"),
  nonce: integer(0, 2 ** 24 - 1),
  position: bytes32,
  action: hexBytes(1, MAX_ACTION_BYTES),
});

const readChallenge = object({
  type: oneOf("challenge"),
  nonce: integer(0, 2 ** 24 - 1),
  time: integer(0, Number.MAX_SAFE_INTEGER),
});

/** Reads an entry from parsed JSON, in the form that `channelEntryText` writes. @throws InputError */
export const readChannelEntry: Reader<ChannelEntry> = (value, path) => {
  const type = (value as { type?: unknown } | null | undefined)?.type;
  if (type === "action") return readAction(value, path);
  return type === "challenge" ? readChallenge(value, path) : readChannelMessage(value, path);
};

/**
 * Parses an entry from a line of JSON.
 * @param path Name of the line in errors.
 * @throws InputError for anything else.
 * @example
 * ```ts
 * import { parseChannelEntry } from "duello";
 *
 * parseChannelEntry('{"type":"challenge","nonce":3,"time":1893456000}', "log:1").nonce; // => 3
 * parseChannelEntry("?", "log:1"); // throws InputError: log:1: not JSON
 * ```
 */
export function parseChannelEntry(line: string, path: string): ChannelEntry {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    throw new InputError(path, "not JSON");
  }
  return readChannelEntry(value, path);
}

/**
 * Writes an entry as a line of JSON.
 * @example
 * ```ts
 * import { channelEntryText } from "duello";
 *
 * channelEntryText({ type: "challenge", nonce: 3, time: 1_893_456_000 }); // => '{"type":"challenge","nonce":3,…}'
 * ```
 */
export function channelEntryText(entry: ChannelEntry): string {
  return entry.type === "action" || entry.type === "challenge" ? JSON.stringify(entry) : channelMessageText(entry);
}
