import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, rmSync, statSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { ZeroHash } from "ethers";
import {
  MAX_MATCH_BYTES,
  MAX_MESSAGE_BYTES,
  messageText,
  parseMessage,
  type AwayAgreement,
  type AwayAsk,
  type AwayMessage,
  type AwayMove,
} from "../../sdk/protocol/away/messages.js";
import { InputError } from "../../sdk/protocol/input.js";
import { LineFile } from "../shared/files/line-file.js";
import { FairQueue } from "../shared/node/fair-queue.js";
import { Tally } from "../shared/server/tally.js";

/** Maximum bytes of messages that are held in memory. */
const MAX_HELD = 64 * 2 ** 20;
/**
 * Maximum number of proposals and agreements of a seat in one state of a match, and in all states after the last move.
 */
const MAX_NOTES = 4;
const MAX_NOTES_BEHIND = 64;
/** Maximum number of matches that are read from disk at once, and of lines of each before others have their turn. */
const MAX_LOADS = 8;
const LINES_AT_ONCE = 32;
const ENDING = ".jsonl";
/** Format of the files of a relay. */
const FORMAT = "the archive of a relay";
/** File that is written to test the disk. */
const PROBE = ".probe";

/** Messages of a match, as they are on the disk. */
export interface Held {
  readonly file: LineFile;
  /** Messages as lines of JSON, in the order in which they came. */
  readonly lines: string[];
  /** Digests of the first lines: of none, of one, and so on up to all. */
  readonly digests: string[];
  /** The last move. */
  last?: AwayMove;
  /** Proposals and agreements since the last move. */
  notes: (AwayAsk | AwayAgreement)[];
  /** Bytes of all lines, line ends included. */
  bytes: number;
}

/** Limits of an archive; beyond them it drops the least recently written matches. */
export interface ArchiveLimits {
  /** Matches that are kept. */
  matches: number;
  /** Bytes of all matches together. */
  bytes: number;
  /** Milliseconds for which a request waits for its turn to read a match from the disk. */
  patience: number;
}

/** Thrown for a message that does not fit into the archive of its match. */
export class NoPlace extends Error {
  override readonly name = "NoPlace";

  /** @param kind `order` for a message out of order, `full` for a match that has no room for more. */
  constructor(
    readonly kind: "order" | "full",
    message: string,
  ) {
    super(message);
  }
}

/** Messages of matches on the disk: an append-only file of JSON lines for each match. */
export class MatchArchive {
  /** Bytes of the matches that have a file, the least recently written first. */
  private readonly known: Map<string, number>;
  /** Bytes of all these matches. */
  private bytes = 0;
  /** Matches in memory, the least recently used first. */
  private readonly held = new Map<string, Held>();
  private readonly loading = new Map<string, Promise<Held>>();
  private readonly loads: FairQueue;
  /** Messages that are being added to each match. */
  private readonly adding = new Tally();
  /** Ends of the current operations on each match. */
  private readonly turns = new Map<string, Promise<unknown>>();

  /**
   * @param folder Folder of this deployment alone.
   * @param onLoad Called with the bytes that are read from the disk for a client.
   */
  constructor(
    private readonly folder: string,
    private readonly limits: ArchiveLimits,
    private readonly onLoad: (client: string, bytes: number) => void = () => undefined,
  ) {
    this.loads = new FairQueue(MAX_LOADS, limits.patience, MAX_LOADS / 2);
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const files = readdirSync(folder).filter((name) => /^[1-9]\d{0,77}\.jsonl$/.test(name));
    const byTime = files.map((name) => ({ name, stats: statSync(join(folder, name)) }));
    byTime.sort((a, b) => a.stats.mtimeMs - b.stats.mtimeMs);
    this.known = new Map(byTime.map(({ name, stats }) => [name.slice(0, -ENDING.length), stats.size]));
    for (const bytes of this.known.values()) this.bytes += bytes;
    this.dropOldest();
  }

  /** Returns whether there are messages of a match. */
  has(matchId: bigint): boolean {
    return this.known.has(String(matchId));
  }

  /** Number of stored matches, their bytes, and the number of requests that wait for the disk. */
  get state(): { matches: number; bytes: number; waiting: number } {
    return { matches: this.known.size, bytes: this.bytes, waiting: this.loads.waiting };
  }

  /** Reads the messages of a match. @throws Busy; Error for a file that somebody has changed. */
  async read(matchId: bigint, client: string): Promise<Held> {
    const name = String(matchId);
    if (!this.known.has(name)) return this.empty(name);
    const held = this.held.get(name) ?? (await this.loads.run(client, () => this.load(name, client)));
    this.hold(name, held);
    return held;
  }

  /**
   * Adds a message, and returns once it is on disk.
   * @param check Checks the message against the last move before it is added, and throws to refuse it.
   * @returns false if the archive already had it.
   * @throws NoPlace, Busy; InputError for a message that is too long as it is kept.
   */
  async add(
    matchId: bigint,
    client: string,
    message: AwayMessage,
    check: (last: AwayMove | undefined) => Promise<void>,
  ): Promise<boolean> {
    const line = messageText(message);
    const size = Buffer.byteLength(line);
    if (size > MAX_MESSAGE_BYTES) {
      throw new InputError("message", `it takes ${size} bytes, and ${MAX_MESSAGE_BYTES} at most`);
    }
    const name = String(matchId);
    this.adding.add(name);
    try {
      const held = await this.read(matchId, client);
      const { last } = held;
      if (isRepeated(held, message, line)) return false;
      checkPlace(held, message, size + 1);
      // Outside the queue: otherwise any stranger's message would delay the players until it is checked.
      await check(last);
      return await this.inTurn(name, async () => {
        const now = await this.read(matchId, client);
        if (isRepeated(now, message, line)) return false;
        checkPlace(now, message, size + 1);
        await this.write(matchId, now, message, line);
        return true;
      });
    } finally {
      this.adding.remove(name);
    }
  }

  /** Writes a file like a message, and removes it. @throws Error if the disk fails to store it. */
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

  /** Waits until no operation on any match is running. */
  async idle(): Promise<void> {
    while (this.turns.size > 0) await Promise.all(this.turns.values());
  }

  private async write(matchId: bigint, held: Held, message: AwayMessage, line: string): Promise<void> {
    const name = String(matchId);
    try {
      await held.file.append(line);
    } catch (error) {
      // The content of the disk is read again later.
      this.held.delete(name);
      throw error;
    }
    take(held, message, line);
    this.bytes += held.file.bytes - (this.known.get(name) ?? 0);
    this.known.delete(name);
    this.known.set(name, held.file.bytes);
    this.hold(name, held);
    this.dropOldest();
  }

  /** Keeps a match in memory, and drops the least recently used ones until all are within the limits. */
  private hold(name: string, held: Held): void {
    this.held.delete(name);
    this.held.set(name, held);
    let bytes = 0;
    for (const each of this.held.values()) bytes += each.bytes;
    for (const [other, each] of this.held) {
      if (bytes <= MAX_HELD) return;
      if (other === name || this.turns.has(other)) continue;
      this.held.delete(other);
      bytes -= each.bytes;
    }
  }

  /** Reads a match from the disk, unless that was done while others had their turn. */
  private async load(name: string, client: string): Promise<Held> {
    const known = this.held.get(name) ?? this.loading.get(name);
    if (known) return known;
    this.onLoad(client, this.known.get(name) ?? 0);
    const loading = this.parsed(name).finally(() => this.loading.delete(name));
    this.loading.set(name, loading);
    return loading;
  }

  private async parsed(name: string): Promise<Held> {
    const held = this.empty(name);
    const { file } = held;
    const lines = await file.read().catch(refuseChanged);
    for (const [i, line] of lines.entries()) {
      take(held, archived(line, file.placeOf(i)), line);
      // Reading a long match takes a tenth of a second, and anybody can request one.
      if ((i + 1) % LINES_AT_ONCE === 0) await nextTurn();
    }
    return held;
  }

  /** Drops the least recently written matches without a pending message, until all are within the limits. */
  private dropOldest(): void {
    for (const [name, bytes] of this.known) {
      if (this.known.size <= this.limits.matches && this.bytes <= this.limits.bytes) return;
      // A message that is being added would otherwise be the first in a new file.
      if (this.adding.of(name) > 0) continue;
      this.known.delete(name);
      this.bytes -= bytes;
      this.held.delete(name);
      rmSync(this.fileOf(name), { force: true });
    }
  }

  /** Runs operations on one match one after the other. */
  private async inTurn<T>(name: string, action: () => Promise<T>): Promise<T> {
    const before = this.turns.get(name) ?? Promise.resolve();
    const turn = before.then(action, action);
    const end = turn.catch(() => undefined);
    this.turns.set(name, end);
    try {
      return await turn;
    } finally {
      if (this.turns.get(name) === end) this.turns.delete(name);
    }
  }

  private empty(name: string): Held {
    return {
      file: new LineFile(this.fileOf(name), FORMAT),
      lines: [],
      digests: [ZeroHash],
      notes: [],
      bytes: 0,
    };
  }

  private fileOf(name: string): string {
    return join(this.folder, `${name}${ENDING}`);
  }
}

/**
 * Reads a line that this relay has written.
 * @throws Error if somebody has changed it; that is not the client's mistake.
 */
function archived(line: string, path: string): AwayMessage {
  try {
    return parseMessage(line, path);
  } catch (error) {
    return refuseChanged(error);
  }
}

function refuseChanged(error: unknown): never {
  throw new Error((error as Error).message, { cause: error });
}

/** True for a message that the archive already has. */
function isRepeated({ lines, notes }: Held, { signature }: AwayMessage, line: string): boolean {
  // The state that an agreement names is not signed: a stranger could repeat it under others.
  return lines.includes(line) || notes.some((note) => note.signature === signature);
}

/** @throws NoPlace for a message that is out of order, or for which there is no room. */
function checkPlace({ last, lines, notes, bytes }: Held, message: AwayMessage, more: number): void {
  const { type, nonce, seat } = message;
  const lastNonce = last?.nonce ?? 0;
  if (type === "move") {
    if (nonce <= lastNonce) throw new NoPlace("order", `there is another message ${nonce}`);
    if (nonce > lastNonce + 1) throw new NoPlace("order", `message ${lastNonce + 1} comes next, not ${nonce}`);
  } else {
    // A game that continues on chain has later states than the last move.
    if (nonce < lastNonce) throw new NoPlace("order", `the last message is ${lastNonce}, not ${nonce}`);
    const own = notes.filter((note) => note.seat === seat);
    if (own.filter((note) => note.nonce === nonce).length >= MAX_NOTES || own.length >= MAX_NOTES_BEHIND) {
      throw new NoPlace("full", `seat ${seat} has proposed or agreed too often behind message ${lastNonce}`);
    }
  }
  if (type === "agreement" && nonce === last?.nonce && message.record !== last.record) {
    throw new NoPlace("order", `the record of message ${lastNonce} is another`);
  }
  if (bytes + more > MAX_MATCH_BYTES) {
    throw new NoPlace("full", `the ${lines.length} messages of the match have ${MAX_MATCH_BYTES} bytes, the most`);
  }
}

function take(held: Held, message: AwayMessage, line: string): void {
  held.lines.push(line);
  held.digests.push(`0x${createHash("sha256").update(held.digests.at(-1)!).update(line).digest("hex")}`);
  held.bytes += Buffer.byteLength(line) + 1;
  if (message.type === "move") {
    held.last = message;
    held.notes = [];
  } else held.notes.push(message);
}
