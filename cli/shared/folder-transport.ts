import { randomUUID } from "node:crypto";
import { mkdir, opendir, realpath, writeFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { AfterAnswer, AfterOptions, Transport } from "../../sdk/player/away/transport.js";
import {
  MAX_MESSAGE_BYTES,
  messageText,
  readMessage,
  type AwayMatch,
  type AwayMessage,
} from "../../sdk/protocol/away.js";
import { placeNew } from "./files.js";
import { readSmallJson } from "./json.js";

/** Messages that are read at once. */
const AT_ONCE = 100;

/** Files in a folder, at most: more than a match has messages. */
const MAX_FILES = 10_000;

/** Largest number of a file. */
const LAST = 999_999_999;

/** Attempts to write a file while others take its number. */
const MAX_ATTEMPTS = 100;

/** Milliseconds between two looks into the folder. */
const LOOK = 200;

/**
 * Transport by files in a folder that both players can write to, e.g. a shared drive: one message a file, numbered from 1.
 * What others put there is read with care, and skipped if it is no message: whoever writes there can withhold and repeat
 * messages, as a relay can.
 */
export class FolderTransport implements Transport {
  private readonly folder: string;
  /** Texts of the messages in the files that were read to find repeats, and the number of the last of these files. */
  private readonly known = { texts: new Set<string>(), last: 0 };

  constructor(
    readonly name: string,
    { chainId, arena, matchId }: Pick<AwayMatch, "chainId" | "arena" | "matchId">,
  ) {
    this.folder = join(name, String(chainId), arena, String(matchId));
  }

  /** @throws Error if the folder cannot be written to, leads elsewhere, or has no number left. */
  async put(message: AwayMessage): Promise<void> {
    await mkdir(this.folder, { recursive: true });
    const [root, inner] = await Promise.all([realpath(this.name), realpath(this.folder)]);
    if (relative(root, inner) !== relative(this.name, this.folder)) {
      throw new Error(`${this.name} is not written to: a link in it leads to ${inner}.`);
    }
    const text = messageText(message);
    for (let attempts = 0; attempts < MAX_ATTEMPTS; attempts++) {
      const { texts } = this.known;
      const numbers = await this.numbers();
      const { last } = this.known;
      for (const number of numbers.filter((each) => each > last)) {
        const read = await this.read(number);
        if (read) texts.add(messageText(read));
        this.known.last = number;
      }
      if (texts.has(text)) return;
      const next = (numbers.at(-1) ?? 0) + 1;
      if (next > LAST)
        throw new Error(`${this.name} takes no more messages: its file ${LAST}.json has the last number.`);
      if (await this.writeNew(next, text)) return;
    }
    throw new Error(`${this.name} takes no message: others have taken ${MAX_ATTEMPTS} numbers before it.`);
  }

  /** @throws Error if the folder cannot be read, or the signal's reason. */
  async after(seen: number, { waitMs = 0, signal }: AfterOptions = {}): Promise<AfterAnswer> {
    for (const end = Date.now() + waitMs; ;) {
      const fresh = (await this.numbers()).filter((number) => number > seen);
      // Files that are no messages do not end the wait, or the reading.
      for (let from = 0; from < fresh.length; from += AT_ONCE) {
        signal?.throwIfAborted();
        const part = fresh.slice(from, from + AT_ONCE);
        const read = await Promise.all(part.map((number) => this.read(number)));
        const messages = read.filter((message) => message !== undefined);
        seen = part.at(-1)!;
        if (messages.length > 0) return { messages, seen };
      }
      const left = end - Date.now();
      if (left <= 0) return { messages: [], seen };
      await pause(Math.min(LOOK, left), undefined, { signal });
    }
  }

  /** Lists the numbers of the files, in order. */
  private async numbers(): Promise<number[]> {
    const names: string[] = [];
    const folder = await opendir(this.folder).catch((error: unknown) => {
      if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    });
    for await (const { name } of folder ?? []) {
      if (names.push(name) > MAX_FILES) throw new Error(`${this.name} has more than ${MAX_FILES} files of a match.`);
    }
    const numbers = names.flatMap((name) => /^([1-9]\d{0,8})\.json$/.exec(name)?.[1] ?? []).map(Number);
    return numbers.sort((a, b) => a - b);
  }

  private async read(number: number): Promise<AwayMessage | undefined> {
    try {
      const file = this.fileOf(number);
      return readMessage(await readSmallJson(file, 2 * MAX_MESSAGE_BYTES, { isShared: true }), file);
    } catch {
      return undefined;
    }
  }

  /** Writes the file of a number, which the other player may read. @returns false if there is one. */
  private async writeNew(number: number, text: string): Promise<boolean> {
    const file = this.fileOf(number);
    // Nobody can foresee its name, and so have a link there that leads to another file.
    const draft = `${file}.${randomUUID()}`;
    await writeFile(draft, text, { flag: "wx", mode: 0o644 });
    return placeNew(draft, file);
  }

  private fileOf(number: number): string {
    return join(this.folder, `${number}.json`);
  }
}
