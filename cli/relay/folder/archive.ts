import { closeSync, mkdirSync, openSync, readdirSync, readSync, rmSync, statSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { channelIdOf, type Channel } from "../../../sdk/protocol/channels/messages.js";
import { plainText, readChannel, type ChannelMessage, type Sender } from "../../../sdk/protocol/channels/wire.js";
import type { Hex } from "../../../sdk/protocol/hex.js";
import { InputError, integer, object } from "../../../sdk/protocol/input.js";
import { LineFile } from "../../shared/files/line-file.js";
import { Busy } from "../../shared/server/busy.js";
import { Tally } from "../../shared/server/tally.js";
import {
  firstPlace,
  lineOf,
  signedSender,
  signingKeyOf,
  slotOf,
  slotRefusal,
  slotSize,
  unknownChannel,
} from "../slots.js";
import type { Admission, Messages, MessageStore, StoreOptions, StoreState } from "../store.js";
import { KeyIndex } from "./key-index.js";

/** Maximum bytes of messages in memory. */
const MAX_HELD = 64 * 2 ** 20;
/** Bytes at the beginning of a file in which the relay, when it starts, looks for consents to an opening. */
const HEAD_BYTES = 32 * 1024;
const ENDING = ".jsonl";
const FORMAT = "the archive of a relay";
/** File that is written to test the disk. */
const PROBE = ".probe";

/** Messages of a channel, as stored on disk. */
interface Held {
  readonly channel: Channel;
  readonly file: LineFile;
  /** Place of the first message. */
  readonly from: number;
  /** Messages as lines of JSON, in the order of their arrival. */
  readonly lines: string[];
  readonly known: Set<string>;
  /** Number of messages by slot. */
  readonly slots: Tally;
}

const readHeader = object({ channel: readChannel, from: integer(0, Number.MAX_SAFE_INTEGER) });

/** Messages of channels on disk: an append-only file of JSON lines for each channel. */
export class Archive implements MessageStore {
  private readonly keys = new KeyIndex();
  /** Session keys that have signed something in each channel. */
  private readonly signers = new Map<Hex, Set<string>>();
  /** Bytes of the channels that have a file, the least recently written first. */
  private readonly stored = new Map<Hex, number>();
  private bytes = 0;
  /** Channels in memory, the least recently used first. */
  private readonly held = new Map<Hex, Held>();
  private readonly heldBytes = new Tally();
  /** Ends of the running operations on each channel. */
  private readonly turns = new Map<string, Promise<unknown>>();
  private isClosed = false;

  /** @param folder Folder of this deployment only. */
  constructor(
    private readonly folder: string,
    private readonly options: StoreOptions,
  ) {
    options.news.reset(firstPlace(options.now()));
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

  async state(): Promise<StoreState> {
    return { channels: this.stored.size, bytes: this.bytes };
  }

  /** @throws Busy; Error for a file that somebody has changed */
  async after(id: Hex, seen: number, client: string): Promise<Messages> {
    if (!this.stored.has(id)) return { lines: [], from: 0 };
    return this.inTurn(id, async () => {
      const { lines, from } = await this.read(id, client);
      const isPlace = seen >= from && seen <= from + lines.length;
      return { lines: lines.slice(isPlace ? seen - from : 0), from: isPlace ? seen : from };
    });
  }

  async add(id: Hex, client: string, message: ChannelMessage, admission: Admission): Promise<boolean> {
    const line = lineOf(message);
    return this.inTurn(id, async () => {
      const isNew = !this.stored.has(id);
      const held = isNew ? this.empty(id, admission) : await this.read(id, client);
      const sender = signedSender(this.options.at, id, held.channel, message);
      const isKnown = held.known.has(line);
      if (!isKnown) {
        if (held.slots.of(slotOf(sender, message)) >= slotSize(sender)) throw slotRefusal(sender, message);
        if (isNew) await admission.admit(held.channel);
        this.tell(id, await this.write(id, held, sender, message, line), signingKeyOf(held.channel, sender));
      }
      this.keys.add(id, held.channel, message, sender.isChecked);
      return !isKnown;
    });
  }

  async channelsOf(key: string): Promise<Channel[]> {
    return this.keys.of(key);
  }

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
      this.options.onLoad(client, this.stored.get(id) ?? 0);
      held = await this.load(id);
    }
    this.hold(id, held);
    return held;
  }

  /** Reports a message to the other players who have signed something in the channel. */
  private tell(id: Hex, at: number, key: string | undefined): void {
    const signers = this.signers.get(id) ?? new Set();
    if (key !== undefined) signers.add(key);
    this.signers.set(id, signers);
    this.options.news.add(
      id,
      at,
      [...signers].filter((each) => each !== key),
    );
  }

  /** Writes a message to the disk. @returns its place in the channel */
  private async write(id: Hex, held: Held, sender: Sender, message: ChannelMessage, line: string): Promise<number> {
    const { channelBytes } = this.options.limits;
    const archived = `${prefixOf(sender)}${line}}`;
    try {
      if (!this.stored.has(id)) await held.file.append(`${headerLine(held)}\n${archived}`);
      else {
        if (held.file.bytes + archived.length + 1 > channelBytes) held = await this.shortened(id, held);
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
    return held.from + held.lines.length - 1;
  }

  /** Drops the older messages of a channel: the players have these messages in their logs. */
  private async shortened(id: Hex, { file, channel, from }: Held): Promise<Held> {
    const [, ...lines] = await file.read();
    let [first, bytes] = [lines.length, 0];
    while (first > 0 && bytes + lines[first - 1].length < this.options.limits.channelBytes / 2)
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

  /** Indexes the messages at the beginning of a file, for `keys` and the news. */
  private index(id: Hex): void {
    const head = Buffer.alloc(HEAD_BYTES);
    const file = openSync(this.fileOf(id), "r");
    try {
      const [, header, ...lines] = head.toString("utf8", 0, readSync(file, head)).split("\n").slice(0, -1);
      const { channel, from } = parseHeader(id, header ?? "", "file");
      for (const [i, line] of lines.entries()) {
        const { message, sender } = parseArchived(line, "file");
        this.keys.add(id, channel, message, sender.isChecked);
        this.tell(id, from + i, signingKeyOf(channel, sender));
      }
    } catch {
      // The next read of this channel reports the problem.
    } finally {
      closeSync(file);
    }
  }

  /** Drops the least recently written channels to which nothing is being added, until all are within the limits. */
  private dropOldest(): void {
    const { channels, bytes: maxBytes } = this.options.limits;
    for (const [id, bytes] of this.stored) {
      if (this.stored.size <= channels && this.bytes <= maxBytes) return;
      if (this.turns.has(id)) continue;
      this.stored.delete(id);
      this.bytes -= bytes;
      this.release(id);
      this.keys.remove(id);
      this.signers.delete(id);
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

  /** @throws Refusal if the client has not sent the fields of the channel; InputError for those of another channel */
  private empty(id: Hex, admission: Admission): Held {
    const channel = admission.channel();
    if (!channel) throw unknownChannel(id);
    return { channel, from: firstPlace(this.options.now()), file: new LineFile(this.fileOf(id), FORMAT), ...noLines() };
  }

  private fileOf(id: Hex): string {
    return join(this.folder, `${id}${ENDING}`);
  }
}

function noLines(): Pick<Held, "lines" | "known" | "slots"> {
  return { lines: [], known: new Set(), slots: new Tally() };
}

function take({ lines, known, slots }: Held, sender: Sender, message: ChannelMessage, line: string) {
  lines.push(line);
  known.add(line);
  slots.add(slotOf(sender, message));
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
