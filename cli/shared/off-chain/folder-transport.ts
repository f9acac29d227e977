import { randomUUID } from "node:crypto";
import { mkdir, opendir, realpath, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { AfterAnswer, AfterOptions, Transport } from "../../../sdk/player/away/transport.js";
import { MAX_MESSAGE_BYTES, messageText, readMessage, type AwayMessage } from "../../../sdk/protocol/away/messages.js";
import type { AwayMatch } from "../../../sdk/protocol/away/signatures.js";
import { placeNew } from "../files/files.js";
import { readSmallJson } from "../files/json.js";

/** Messages that are read at once. */
const AT_ONCE = 100;

/** Files in a folder, at most: more than a match has messages. */
const MAX_FILES = 10_000;

/** Names of messages, and of drafts of them. */
const FILE = /^([1-9]\d{0,8})\.json$/;
const DRAFT = /^([1-9]\d{0,8})\.json\.[0-9a-f-]{36}$/;

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
  /** Folders that lead to it, each in the one before. */
  private readonly steps: readonly string[];
  /** Texts of the messages in the files that were read to find repeats, and the number of the last of these files. */
  private readonly known = { texts: new Set<string>(), last: 0 };

  constructor(
    readonly name: string,
    { chainId, arena, matchId }: Pick<AwayMatch, "chainId" | "arena" | "matchId">,
  ) {
    this.steps = [String(chainId), arena, String(matchId)];
    this.folder = join(name, ...this.steps);
  }

  /** @throws Error if the folder cannot be written to, leads elsewhere, or has no number left. */
  async put(message: AwayMessage): Promise<void> {
    await this.makeFolder();
    const text = messageText(message);
    for (let attempts = 0; attempts < MAX_ATTEMPTS; attempts++) {
      const { texts } = this.known;
      const names = await this.names();
      const numbers = numbersIn(names);
      await this.removeDrafts(names, new Set(numbers));
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
      const fresh = numbersIn(await this.names()).filter((number) => number > seen);
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

  /** Makes the folder, a step at a time: no folder is made behind a link. @throws Error if a link in it leads elsewhere. */
  private async makeFolder(): Promise<void> {
    await mkdir(this.name, { recursive: true });
    let [folder, expected] = [this.name, await realpath(this.name)];
    for (const step of this.steps) {
      [folder, expected] = [join(folder, step), join(expected, step)];
      await mkdir(folder).catch(unless("EEXIST"));
      const found = await realpath(folder);
      if (found !== expected) throw new Error(`${this.name} is not written to: a link in it leads to ${found}.`);
    }
  }

  /** Lists the names of the files. */
  private async names(): Promise<string[]> {
    const names: string[] = [];
    const folder = await opendir(this.folder).catch(unless("ENOENT"));
    for await (const { name } of folder ?? []) {
      if (names.push(name) > MAX_FILES) throw new Error(`${this.name} has more than ${MAX_FILES} files of a match.`);
    }
    return names;
  }

  /** Removes drafts whose number is taken: a killed process has left them, or its process is about to write another. */
  private async removeDrafts(names: readonly string[], taken: ReadonlySet<number>): Promise<void> {
    for (const name of names) {
      const number = DRAFT.exec(name)?.[1];
      if (number !== undefined && taken.has(Number(number))) await rm(join(this.folder, name)).catch(() => undefined);
    }
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
    const draft = await this.draftOf(file, text);
    // Whoever finds the number taken removes the draft.
    return (await placeNew(draft, file).catch(unless("ENOENT"))) ?? false;
  }

  private async draftOf(file: string, text: string): Promise<string> {
    // Nobody can foresee its name, and so have a link there that leads to another file.
    const draft = `${file}.${randomUUID()}`;
    await writeFile(draft, text, { flag: "wx", mode: 0o644 });
    return draft;
  }

  private fileOf(number: number): string {
    return join(this.folder, `${number}.json`);
  }
}

/** Returns the numbers of files, in order. */
function numbersIn(names: readonly string[]): number[] {
  const numbers = names.flatMap((name) => FILE.exec(name)?.[1] ?? []).map(Number);
  return numbers.sort((a, b) => a - b);
}

/** Returns what passes over errors of a code. */
function unless(code: string) {
  return (error: unknown): undefined => {
    if ((error as NodeJS.ErrnoException).code !== code) throw error;
  };
}
