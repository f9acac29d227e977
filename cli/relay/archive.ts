import { closeSync, mkdirSync, openSync, readdirSync, readSync, rmSync, statSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { channelIdOf, sessionKeyOf, type Channel, type ChannelsAt } from "../../sdk/protocol/channels/messages.js";
import {
  channelMessageText,
  MAX_MESSAGE_LENGTH,
  plainText,
  readChannel,
  senderOf,
  type ChannelMessage,
  type Sender,
} from "../../sdk/protocol/channels/wire.js";
import type { Hex } from "../../sdk/protocol/hex.js";
import { InputError, integer, object } from "../../sdk/protocol/input.js";
import { LineFile } from "../shared/files/line-file.js";
import { Busy } from "../shared/server/busy.js";
import { Tally } from "../shared/server/tally.js";
import { KeyIndex } from "./key-index.js";
import { KeyNews } from "./key-news.js";
import { Refusal } from "./refusal.js";

/** Maximum bytes of messages in memory. */
const MAX_HELD = 64 * 2 ** 20;
/** Maximum number of messages of one player for the same place in a channel: only a cheater signs several. */
const MAX_AT_PLACE = 16;
/** Maximum number of consents of one wallet to one opening whose signatures only the chain can check. */
const MAX_UNCHECKED = 4;
/** Bytes at the beginning of a file in which the relay, when it starts, looks for consents to an opening. */
const HEAD_BYTES = 32 * 1024;
/** Places of messages per millisecond. A channel that was dropped and is added again thus gets new places. */
const PLACES_PER_MS = 1024;
const ENDING = ".jsonl";
const FORMAT = "the archive of a relay";
/** File that is written to test the disk. */
const PROBE = ".probe";

/** Limits of an archive. */
export interface ArchiveLimits {
  /** Maximum number of channels; if there are more, the least recently written ones are dropped. */
  channels: number;
  /** Maximum bytes of all channels together; if there are more, channels are dropped in the same order. */
  bytes: number;
  /** Maximum bytes of one channel; if there are more, the older half of its messages is dropped. */
  channelBytes: number;
}

/** Messages of a channel, as stored on disk. */
interface Held {
  readonly channel: Channel;
  readonly file: LineFile;
  /** Place of the first message. */
  readonly from: number;
  /** Messages as lines of JSON, in the order of their arrival. */
  readonly lines: string[];
  readonly known: Set<string>;
  /** Number of messages by player and place. */
  readonly places: Tally;
}

/** Messages of a channel, starting at a place. */
export interface Messages {
  lines: readonly string[];
  /** Place of the first line. */
  from: number;
}

/** Rules for adding a new channel. */
export interface Admission {
  /** Fields of the channel, if the client has sent them. */
  channel?: Channel;
  /** Called before a channel is added. @throws Refusal */
  admit(): Promise<void>;
}

const readHeader = object({ channel: readChannel, from: integer(0, Number.MAX_SAFE_INTEGER) });

/** Messages of channels on disk: an append-only file of JSON lines for each channel. */
export class Archive {
  readonly keys = new KeyIndex();
  readonly news: KeyNews;
  /** Bytes of the channels that have a file, the least recently written first. */
  private readonly stored = new Map<Hex, number>();
  private bytes = 0;
  /** Channels in memory, the least recently used first. */
  private readonly held = new Map<Hex, Held>();
  private readonly heldBytes = new Tally();
  /** Ends of the running operations on each channel. */
  private readonly turns = new Map<string, Promise<unknown>>();
  private isClosed = false;

  /**
   * @param folder Folder of this deployment only.
   * @param now Returns milliseconds since 1970.
   * @param onLoad Called with the bytes that are read from disk for a client.
   */
  constructor(
    private readonly at: ChannelsAt,
    private readonly folder: string,
    private readonly limits: ArchiveLimits,
    private readonly now: () => number,
    private readonly onLoad: (client: string, bytes: number) => void = () => undefined,
  ) {
    this.news = new KeyNews(this.firstPlace);
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const files = readdirSync(folder).filter((name) => /^0x[0-9a-f]{64}\.jsonl$/.test(name));
    const byTime = files.map((name) => ({ id: name.slice(0, -ENDING.length), stats: statSync(join(folder, name)) }));
    for (const { id, stats } of byTime.toSorted((a, b) => a.stats.mtimeMs - b.stats.mtimeMs)) {
      this.stored.set(id, stats.size);
      this.bytes += stats.size;
      this.index(id);
    }
    this.dropOldest();
  }

  /** Number of channels, and their bytes. */
  get state(): { channels: number; bytes: number } {
    return { channels: this.stored.size, bytes: this.bytes };
  }

  /**
   * Returns the messages of a channel, starting at a place; all messages if the channel has no such place.
   * @throws Busy; Error for a file that somebody has changed
   */
  async after(id: Hex, seen: number, client: string): Promise<Messages> {
    if (!this.stored.has(id)) return { lines: [], from: 0 };
    return this.inTurn(id, async () => {
      const { lines, from } = await this.read(id, client);
      const isPlace = seen >= from && seen <= from + lines.length;
      return { lines: lines.slice(isPlace ? seen - from : 0), from: isPlace ? seen : from };
    });
  }

  /**
   * Adds a message that a player of the channel has signed, and returns once it is on the disk.
   * @returns the keys to notify; undefined if the message is already there
   * @throws Busy, Refusal; InputError for a message that no player has signed
   */
  async add(id: Hex, client: string, message: ChannelMessage, { channel, admit }: Admission) {
    const line = channelMessageText(message);
    if (line.length > MAX_MESSAGE_LENGTH) {
      throw new InputError("message", `${line.length} characters are more than ${MAX_MESSAGE_LENGTH}`);
    }
    return this.inTurn(id, async () => {
      const isNew = !this.stored.has(id);
      if (isNew && !channel) throw new Refusal("unknown", `the channel ${id} is not known: send its fields`);
      const held = isNew ? this.empty(id, channel!, this.firstPlace) : await this.read(id, client);
      const sender = senderOf(this.at, held.channel, message);
      if (held.known.has(line)) {
        this.keys.add(id, held.channel, message, sender?.isChecked ?? false);
        return undefined;
      }
      if (sender === undefined) throw new InputError("message.signature", `no player of the channel ${id} has signed`);
      const place = placeOf(sender, message);
      const max = sender.isChecked ? MAX_AT_PLACE : MAX_UNCHECKED;
      if (held.places.of(place) >= max) {
        throw new Refusal(
          "full",
          `player ${sender.player} has signed ${max} others of type ${message.type} for this place`,
        );
      }
      if (isNew) await admit();
      await this.write(id, held, sender, message, line);
      this.keys.add(id, held.channel, message, sender.isChecked);
      return this.news.add(id, keyOf(held.channel, sender));
    });
  }

  /** Writes a test file in the way a message is written, and removes it. @throws Error if the disk does not store it */
  async probe(): Promise<void> {
    const file = join(this.folder, PROBE);
    await this.inTurn(PROBE, async () => {
      try {
        await new LineFile(file, FORMAT).append("");
      } finally {
        await rm(file, { force: true });
      }
    });
  }

  /** Accepts no more messages, and returns once the accepted ones are on disk. */
  async close(): Promise<void> {
    this.isClosed = true;
    while (this.turns.size > 0) await Promise.all(this.turns.values());
  }

  /** Returns a channel, from disk if it is not in memory. @throws Error for a file that somebody has changed */
  private async read(id: Hex, client: string): Promise<Held> {
    let held = this.held.get(id);
    if (!held) {
      this.onLoad(client, this.stored.get(id) ?? 0);
      held = await this.load(id);
    }
    this.hold(id, held);
    return held;
  }

  private async write(id: Hex, held: Held, sender: Sender, message: ChannelMessage, line: string) {
    const archived = `${prefixOf(sender)}${line}}`;
    try {
      if (!this.stored.has(id)) await held.file.append(`${headerLine(held)}\n${archived}`);
      else {
        if (held.file.bytes + archived.length + 1 > this.limits.channelBytes) held = await this.shortened(id, held);
        await held.file.append(archived);
      }
    } catch (error) {
      // The file may differ from memory now, so it is read again later.
      this.release(id);
      throw error;
    }
    take(held, sender, message, line);
    this.bytes += held.file.bytes - (this.stored.get(id) ?? 0);
    this.stored.delete(id);
    this.stored.set(id, held.file.bytes);
    this.hold(id, held);
    this.dropOldest();
  }

  /** Drops the older messages of a channel: the players have these messages in their logs. */
  private async shortened(id: Hex, { file, channel, from }: Held): Promise<Held> {
    const [, ...lines] = await file.read();
    let [first, bytes] = [lines.length, 0];
    while (first > 0 && bytes + lines[first - 1].length < this.limits.channelBytes / 2)
      bytes += lines[--first].length + 1;
    await file.replace([headerLine({ channel, from: from + first }), ...lines.slice(first)]);
    return this.load(id);
  }

  /** Keeps a channel in memory, and drops the least recently used ones until all are within the limits. */
  private hold(id: Hex, held: Held): void {
    this.release(id);
    this.held.set(id, held);
    this.heldBytes.add(id, held.file.bytes);
    for (const other of this.held.keys()) {
      if (this.heldBytes.total <= MAX_HELD) return;
      if (other !== id && !this.turns.has(other)) this.release(other);
    }
  }

  private release(id: Hex): void {
    this.held.delete(id);
    this.heldBytes.remove(id, this.heldBytes.of(id));
  }

  private async load(id: Hex): Promise<Held> {
    const file = new LineFile(this.fileOf(id), FORMAT);
    try {
      const [header = "", ...lines] = await file.read();
      const held = { ...parseHeader(id, header, file.placeOf(0)), file, ...noLines() };
      for (const [i, line] of lines.entries()) {
        const { sender, message, text } = parseArchived(line, file.placeOf(i + 1));
        take(held, sender, message, text);
      }
      return held;
    } catch (error) {
      // The client did not cause this error.
      throw new Error((error as Error).message, { cause: error });
    }
  }

  /** Indexes the messages at the beginning of a file, for `keys` and `news`. */
  private index(id: Hex): void {
    const head = Buffer.alloc(HEAD_BYTES);
    const file = openSync(this.fileOf(id), "r");
    try {
      const [, header, ...lines] = head.toString("utf8", 0, readSync(file, head)).split("\n").slice(0, -1);
      const { channel } = parseHeader(id, header ?? "", "file");
      for (const line of lines) {
        const { message, sender } = parseArchived(line, "file");
        this.keys.add(id, channel, message, sender.isChecked);
        this.news.add(id, keyOf(channel, sender));
      }
    } catch {
      // The next read of this channel reports the problem.
    } finally {
      closeSync(file);
    }
  }

  /** Drops the least recently written channels to which nothing is being added, until all are within the limits. */
  private dropOldest(): void {
    for (const [id, bytes] of this.stored) {
      if (this.stored.size <= this.limits.channels && this.bytes <= this.limits.bytes) return;
      if (this.turns.has(id)) continue;
      this.stored.delete(id);
      this.bytes -= bytes;
      this.release(id);
      this.keys.remove(id);
      this.news.remove(id);
      rmSync(this.fileOf(id), { force: true });
    }
  }

  /** Runs operations on one channel one at a time. @throws Busy if the archive is closing */
  private async inTurn<T>(name: string, action: () => Promise<T>): Promise<T> {
    if (this.isClosed) throw new Busy("stopping", "the relay stops");
    const before = this.turns.get(name) ?? Promise.resolve();
    const turn = before.then(action);
    const end = turn.catch(() => undefined);
    this.turns.set(name, end);
    try {
      return await turn;
    } finally {
      if (this.turns.get(name) === end) this.turns.delete(name);
    }
  }

  /** Place for the first message of a channel that is added now. */
  private get firstPlace(): number {
    return Math.floor(this.now()) * PLACES_PER_MS;
  }

  private empty(id: Hex, channel: Channel, from: number): Held {
    return { channel, from, file: new LineFile(this.fileOf(id), FORMAT), ...noLines() };
  }

  private fileOf(id: Hex): string {
    return join(this.folder, `${id}${ENDING}`);
  }
}

/** Returns the session key of a message's sender; undefined if only the chain can check the signature. */
function keyOf(channel: Channel, { player, isChecked }: Sender): string | undefined {
  return isChecked ? sessionKeyOf(channel, player) : undefined;
}

function noLines(): Pick<Held, "lines" | "known" | "places"> {
  return { lines: [], known: new Set(), places: new Tally() };
}

function take({ lines, known, places }: Held, sender: Sender, message: ChannelMessage, line: string) {
  lines.push(line);
  known.add(line);
  places.add(placeOf(sender, message));
}

/** Identifies the place of a message in its channel. An honest player signs one message per place. */
function placeOf({ player, isChecked }: Sender, message: ChannelMessage): string {
  const { type, nonce } = message;
  if (!isChecked) return `unchecked ${player} ${nonce}`;
  return `${type} ${player} ${nonce} ${type === "move" ? message.count : type === "balance" ? message.close : ""}`;
}

function headerLine({ channel, from }: Pick<Held, "channel" | "from">): string {
  return plainText({ channel, from });
}

function parseHeader(id: Hex, line: string, path: string): Pick<Held, "channel" | "from"> {
  const header = readHeader(JSON.parse(line), path);
  if (channelIdOf(header.channel) !== id) throw new InputError(path, `it is not of the channel ${id}`);
  return header;
}

/** Returns the beginning of a line with a message, which names its sender. */
function prefixOf({ player, isChecked }: Sender): string {
  return `{"by":${player},${isChecked ? "" : '"checked":false,'}"message":`;
}

const SENDERS: readonly Sender[] = ([1, 2] as const).flatMap((player) => [
  { player, isChecked: true },
  { player, isChecked: false },
]);

function parseArchived(line: string, path: string) {
  const sender = SENDERS.find((each) => line.startsWith(prefixOf(each)));
  if (sender === undefined) throw new InputError(path, "it names no sender");
  // The message was checked before it was written.
  const text = line.slice(prefixOf(sender).length, -1);
  return { sender, text, message: JSON.parse(text) as ChannelMessage };
}
