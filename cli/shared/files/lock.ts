import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { dirname } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { setTimeout as pause } from "node:timers/promises";

/** Milliseconds between two attempts to acquire a lock. */
const RETRY = 50;

/** SQLite's code for a file that is locked by another connection. */
const SQLITE_BUSY = 5;

/** Connections that hold this process's locks: garbage collection would close them and free the locks. */
const held = new Set<DatabaseSync>();

/** Thrown if another process, or another part of this process, holds a lock. */
export class Locked extends Error {
  override readonly name = "Locked";

  constructor(busy: string, file: string) {
    const holder = holderOf(file);
    super(
      holder === undefined
        ? `${busy} already: stop it first. ${file} is locked, or its file system cannot lock files.`
        : `${busy} already, ${holder}: stop it first. ${file} is locked.`,
    );
  }
}

/**
 * Acquires a lock that the kernel frees when the process ends, however it ends. It excludes every process that locks
 * the same file under the same kernel, even in other containers. The file stays empty. Do not remove it while the lock
 * is in use: another process could lock a new file of the same name.
 *
 * Warning: only this module may open the file. A process that closes the file by other means loses its lock.
 * @param busy Beginning of the error's sentence if somebody else holds the lock.
 * @returns a function that releases the lock.
 * @throws Locked if somebody else holds it; Error if the file cannot be locked.
 */
export function acquireLock(file: string, busy: string): () => void {
  let connection: DatabaseSync | undefined;
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    if (!existsSync(file)) create(file);
    connection = open(file);
    // SQLite opens a read-only file under a shared lock, and fails only at the write.
    connection.exec("PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE; PRAGMA user_version = 1");
    writeFileSync(holderFile(file), `process ${process.pid} on ${hostname()}`, { mode: 0o600 });
  } catch (error) {
    connection?.close();
    throw isBusy(error) ? new Locked(busy, file) : unlockable(file, error);
  }
  const holding = connection;
  held.add(holding);
  return () => {
    if (!held.delete(holding)) return;
    rmSync(holderFile(file), { force: true });
    holding.close();
  };
}

/**
 * Acquires a lock like `acquireLock`, but waits a limited time while somebody else holds it. @param patience Maximum
 * milliseconds to wait.
 * @throws Locked if it is held for longer; Error if the file cannot be locked.
 */
export async function waitForLock(file: string, busy: string, patience: number): Promise<() => void> {
  for (const end = Date.now() + patience; ;) {
    try {
      return acquireLock(file, busy);
    } catch (error) {
      if (!(error instanceof Locked) || Date.now() >= end) throw error;
      await pause(RETRY);
    }
  }
}

/** Returns whether somebody holds a lock. @throws Error if that cannot be determined. */
export function isLocked(file: string): boolean {
  if (!existsSync(file)) return false;
  let connection: DatabaseSync | undefined;
  try {
    connection = open(file, true);
    connection.exec("SELECT 1 FROM sqlite_schema");
    return false;
  } catch (error) {
    if (isBusy(error)) return true;
    throw unlockable(file, error);
  } finally {
    connection?.close();
  }
}

/** Removes the file of a lock that nobody will acquire again. */
export function removeLock(file: string): void {
  rmSync(holderFile(file), { force: true });
  rmSync(file, { force: true });
}

/** Describes the holder of a lock for people, from the entry that the holder wrote; undefined if unknown. */
export function holderOf(file: string): string | undefined {
  try {
    const name = readFileSync(holderFile(file), "utf8");
    return /^process \d{1,10} on [\w.-]{1,253}$/.test(name) ? name : undefined;
  } catch {
    return undefined;
  }
}

/** Returns the file that names the holder, since the locked file itself cannot be read. */
function holderFile(file: string): string {
  return `${file}.holder`;
}

/** Creates an empty file, unless another process has just done so. */
function create(file: string): void {
  try {
    writeFileSync(file, "", { flag: "wx", mode: 0o600 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
}

function open(file: string, readOnly = false): DatabaseSync {
  const { emitWarning } = process;
  // Node 22 warns on standard error that SQLite is experimental; a program has no other way to suppress that.
  process.emitWarning = () => undefined;
  try {
    return new (process.getBuiltinModule("node:sqlite").DatabaseSync)(file, { readOnly });
  } finally {
    process.emitWarning = emitWarning;
  }
}

function isBusy(error: unknown): boolean {
  return (error as { errcode?: unknown }).errcode === SQLITE_BUSY;
}

function unlockable(file: string, cause: unknown): Error {
  const reason = (cause as Error).message;
  return new Error(`${file} cannot be locked (${reason}): use a folder that this program can write to and lock.`, {
    cause,
  });
}
