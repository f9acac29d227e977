import { messageText, readMessage, type AwayMessage } from "../../protocol/away/messages.js";
import { hexOf, sized } from "../../protocol/bytes.js";
import type { Hex } from "../../protocol/hex.js";
import { bytes32, InputError, integer, object, oneOf, text, type Reader } from "../../protocol/input.js";

/** Entry of a seat's log. */
export type AwayEntry =
  /**
   * Move of either player that has been checked, an agreement of the own seat, the one that it has agreed to, or one by
   * which it has won for good.
   */
  | { type: "message"; message: AwayMessage }
  /** Post of the state of a nonce that may have been sent; null once it is certain that none was. */
  | { type: "post"; nonce: number | null }
  /** Own signature of the state of a nonce, for a post. */
  | { type: "signature"; nonce: number; signature: Hex }
  /** Own action that was composed for the chain. */
  | {
      type: "action";
      /** Record of the position that it was composed in. */
      record: Hex;
      action: Hex;
    };

/** Thrown where two programs write one log at once. */
export class LogConflict extends Error {
  override readonly name = "LogConflict";
}

/**
 * Log of a seat in one match, to which entries are only added. What the seat signs is in it before anybody else has it.
 * Warning: who loses it may sign something else of the same state, unless a relay gives the messages back.
 */
export interface AwayLog {
  /** Reads all entries, oldest first. */
  read(): Promise<AwayEntry[]>;
  /**
   * Adds an entry, and returns once it survives a failure of power.
   * @param place Number of the entries before it.
   * @throws LogConflict if there is another number of entries.
   */
  append(entry: AwayEntry, place: number): Promise<void>;
  /** Makes the error for an entry that the match cannot have. @param place Number of the entries before it. */
  damage(place: number, problem: string): Error;
}

/** Log in memory, for tests and for spectators, who sign nothing. */
export class MemoryAwayLog implements AwayLog {
  private readonly lines: string[] = [];

  async read(): Promise<AwayEntry[]> {
    return this.lines.map((line, i) => parseEntry(line, `log:${i + 1}`));
  }

  async append(entry: AwayEntry, place: number): Promise<void> {
    checkPlace(this.lines.length, place);
    this.lines.push(entryText(entry));
  }

  damage(place: number, problem: string): Error {
    return new InputError(`log:${place + 1}`, problem);
  }
}

/** @throws LogConflict unless an entry's place is behind the last one. @param count Number of entries. */
export function checkPlace(count: number, place: number): void {
  if (count === place) return;
  throw new LogConflict(`The log has ${count} entries, not ${place}: another program plays this seat.`);
}

const hex: Reader<Hex> = (value, path) => hexOf(sized(text(value, path), path, 1, Infinity));
const readSignature = object({
  type: oneOf("signature"),
  nonce: integer(0, 2 ** 32 - 1),
  signature: hex,
});
const nonceOrNull: Reader<number | null> = (value, path) =>
  value === null ? null : integer(0, 2 ** 32 - 1)(value, path);
const readPost = object({ type: oneOf("post"), nonce: nonceOrNull });
const readAction = object({ type: oneOf("action"), record: bytes32, action: hex });

/** Reads an entry, as `entryText` writes it and JSON parses it. @throws InputError */
export const readEntry: Reader<AwayEntry> = (value, path) => {
  const type = (value as { type?: unknown } | null | undefined)?.type;
  if (type === "post") return readPost(value, path);
  if (type === "signature") return readSignature(value, path);
  if (type === "action") return readAction(value, path);
  return { type: "message", message: readMessage(value, path) };
};

/** Reads an entry from a line of JSON. @param path Name of the line in errors. @throws InputError */
export function parseEntry(line: string, path: string): AwayEntry {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    throw new InputError(path, "not JSON");
  }
  return readEntry(value, path);
}

/** Writes an entry as a line of JSON. Messages are written as a relay's archive has them. */
export function entryText(entry: AwayEntry): string {
  return entry.type === "message" ? messageText(entry.message) : JSON.stringify(entry);
}
