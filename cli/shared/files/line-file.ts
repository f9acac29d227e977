import { closeSync, fstatSync, ftruncateSync, mkdirSync, openSync, writeFileSync } from "node:fs";
import { readFile, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { checkVersionLine, versionLine, type Format } from "../../../sdk/protocol/version.js";
import { fileProblem } from "./file-problem.js";
import { replaceText, sync, syncFolder } from "./files.js";

/** Thrown if another process has written to a file since this process read it. */
export class Overtaken extends Error {
  override readonly name = "Overtaken";

  constructor(file: string) {
    super(`${file} has changed meanwhile: another process writes to it.`);
  }
}

/**
 * File to which lines are only appended. The first line names the version of its format. Each line is on the disk when
 * `append` returns, and only the file's owner may read it. A last line without a line break was left by a process that
 * died while writing, and is ignored.
 */
export class LineFile {
  /** Bytes of the lines that were read or added, including the first one; undefined before the first read. */
  private size?: number;
  /** Bytes of an incomplete last line. */
  private torn = 0;

  constructor(
    readonly path: string,
    private readonly format: Format,
  ) {}

  /** Bytes of the file, as far as this program has read or written it. */
  get bytes(): number {
    return this.size ?? 0;
  }

  /** Names a line for error messages. @param i Its number, from 0. */
  placeOf(i: number): string {
    return `${this.path}:${i + 2}`;
  }

  /** Reads all lines after the first. @throws InputError if the first line names another version or format. */
  async read(): Promise<string[]> {
    const bytes = await readFile(this.path).catch((error: unknown) => {
      if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw new Error(fileProblem(error), { cause: error });
      return Buffer.alloc(0);
    });
    const size = bytes.lastIndexOf("\n") + 1;
    const text = bytes.subarray(0, size).toString("utf8");
    const [first, ...lines] = text.split("\n").slice(0, -1);
    if (first !== undefined) checkVersionLine(this.format, first, `${this.path}:1`);
    this.size = size;
    this.torn = bytes.length - size;
    return lines;
  }

  /** Returns whether another process has added a line since the lines were read. */
  async isOvertaken(): Promise<boolean> {
    return this.size !== undefined && (await sizeOf(this.path)) !== this.size + this.torn;
  }

  /** Adds a line. @throws Overtaken if another process has added a line since the lines were read. */
  async append(line: string): Promise<void> {
    if (this.size === undefined) await this.read();
    const { path, torn } = this;
    const size = this.size!;
    const folder = dirname(path);
    if (size === 0) mkdirSync(folder, { recursive: true, mode: 0o700 });
    // Only the disk takes long. Each other call costs less than to hand it to another thread.
    const file = openSync(path, "a", 0o600);
    try {
      if (fstatSync(file).size !== size + torn) throw new Overtaken(path);
      if (torn > 0) ftruncateSync(file, size);
      this.torn = 0;
      const bytes = Buffer.from(size === 0 ? `${versionLine(this.format)}\n${line}\n` : `${line}\n`);
      try {
        writeFileSync(file, bytes);
        await sync(file);
        // A new file is durable once its folder entry is.
        if (size === 0) await syncFolder(folder);
      } catch (error) {
        // A partly written line must not remain before the next line.
        truncateIfPossible(file, size);
        throw error;
      }
      this.size = size + bytes.length;
    } finally {
      closeSync(file);
    }
  }

  /**
   * Replaces all lines after the first, and returns once they are on disk. A process that read the old ones can add no
   * more.
   */
  async replace(lines: readonly string[]): Promise<void> {
    const text = [versionLine(this.format), ...lines].map((line) => `${line}\n`).join("");
    await replaceText(this.path, text);
    [this.size, this.torn] = [Buffer.byteLength(text), 0];
  }
}

function truncateIfPossible(file: number, size: number): void {
  try {
    ftruncateSync(file, size);
  } catch {
    // The error that comes before this one is reported.
  }
}

async function sizeOf(path: string): Promise<number> {
  const stats = await stat(path).catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
  });
  return stats?.size ?? 0;
}
