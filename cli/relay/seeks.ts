import { ZeroAddress } from "ethers";
import type { ChannelsAt } from "../../sdk/protocol/channels/messages.js";
import { isSignedSeek, isSoughtIn, SEEK_SECONDS, type Seek } from "../../sdk/protocol/channels/seek.js";
import { InputError } from "../../sdk/protocol/input.js";
import { Refusal } from "./refusal.js";

/** Seconds by which a player's clock may be ahead. */
const SKEW = 60;
/** Maximum number of searches that are listed. */
export const MAX_LISTED_SEEKS = 200;

/** Limits of searches. */
export interface SeekLimits {
  /** Maximum number of searches at once, in total and per client. */
  seeks: number;
  clientSeeks: number;
}

/** Search in a store. */
export interface StoredSeek {
  seek: Seek;
  /** Time at which the relay forgets the search, in seconds since 1970. */
  end: number;
  client: string;
  /** True once a channel was made from this search, even before the search was last renewed. */
  isAnswered: boolean;
}

/** Searches that a store holds when one is added. */
export interface HeldSeeks {
  /** Search with the same key and opponent. */
  known?: StoredSeek;
  /** Number of searches of the client, and of all clients. */
  ofClient: number;
  total: number;
}

/** Checks a search without regard to others. @param now Seconds since 1970. @throws InputError */
export function checkSeek(at: ChannelsAt, seek: Seek, now: number): void {
  const { key, expires } = seek;
  const latest = now + SEEK_SECONDS + SKEW;
  if (expires < now || expires > latest) throw new InputError("expires", `${expires} is not ${now} to ${latest}`);
  if (!isSignedSeek(at, seek)) throw new InputError("signature", `${key} has not signed this`);
}

/**
 * Returns what to store for a checked search; undefined if it is already stored.
 * @throws InputError for a search that is older than the stored one; Refusal beyond a limit
 */
export function admitSeek(
  seek: Seek,
  client: string,
  now: number,
  { known, ofClient, total }: HeldSeeks,
  { seeks, clientSeeks }: SeekLimits,
): StoredSeek | undefined {
  const { expires } = seek;
  if (known && known.seek.expires > expires) throw new InputError("expires", `${expires} is older than the present`);
  // Anybody can send a search again after reading it here. Such a repetition changes nothing.
  if (known?.seek.signature === seek.signature) return undefined;
  const others = ofClient - (known?.client === client ? 1 : 0);
  if (others >= clientSeeks) {
    throw new Refusal("client-seeks", `${client} searches ${clientSeeks} times at once, the most`);
  }
  if (!known && total >= seeks) throw new Refusal("full", `there are ${seeks} searches, the most`);
  return { seek, end: Math.min(expires, now + SEEK_SECONDS), client, isAnswered: known?.isAnswered ?? false };
}

/** Selects the searches that are listed for a player. @param seeks Searches, newest first */
export function listedSeeks(seeks: readonly Seek[], player: string): Seek[] {
  const sought = seeks.filter((seek) => isSoughtIn(seek, player));
  const isForAnybody = ({ opponent }: Seek) => opponent === ZeroAddress;
  return [...sought.filter((seek) => !isForAnybody(seek)), ...sought.filter(isForAnybody)].slice(0, MAX_LISTED_SEEKS);
}
