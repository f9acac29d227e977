import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";

/**
 * Acquires a lock file that names the process doing something, so that no second one does. The file of a dead process
 * is replaced.
 * @param busy Beginning of the sentence that is said while another process holds the lock.
 * @returns a function that releases the lock.
 * @throws Error if a running process holds it.
 */
export function acquireLock(file: string, busy: string): () => void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const own = `${file}.${process.pid}`;
  writeFileSync(own, String(process.pid), { mode: 0o600 });
  try {
    // Linking makes the file appear with its content, and fails if there is one.
    while (!succeeds("EEXIST", () => linkSync(own, file))) removeStaleLock(file, busy);
  } finally {
    rmSync(own);
  }
  return () => rmSync(file, { force: true });
}

/** Removes the lock file of a dead process, unless another process was faster. */
function removeStaleLock(file: string, busy: string): void {
  const aside = `${file}.${process.pid}.dead`;
  if (!succeeds("ENOENT", () => renameSync(file, aside))) return;
  const holder = holderIn(readFileSync(aside, "utf8"));
  if (holder !== undefined && isAlive(holder)) {
    renameSync(aside, file);
    throw new Error(`${busy} already, process ${holder}: stop it first. ${file} says so.`);
  }
  rmSync(aside);
}

/** Reads the process id in a lock file; undefined if it has none, for example after a power failure while writing. */
export function holderIn(text: string): number | undefined {
  return /^[1-9]\d{0,9}$/.test(text) && Number(text) < 2 ** 31 ? Number(text) : undefined;
}

/** Returns whether a process is running. */
export function isAlive(pid: number): boolean {
  // EPERM means that the process exists and belongs to another user.
  return succeeds("ESRCH", () => succeeds("EPERM", () => process.kill(pid, 0)));
}

/**
 * Runs an action.
 * @returns false if it fails with the given code.
 * @throws any other error.
 */
function succeeds(code: string, action: () => unknown): boolean {
  try {
    action();
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== code) throw error;
    return false;
  }
}
