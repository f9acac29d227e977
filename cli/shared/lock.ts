import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { setTimeout as pause } from "node:timers/promises";

/** Milliseconds between two attempts to acquire a lock. */
const RETRY = 50;

/** Lock files that this process holds. */
const held = new Set<string>();

/** A running process holds a lock. */
export class Locked extends Error {
  override readonly name = "Locked";

  constructor(busy: string, holder: number, file: string) {
    super(`${busy} already, process ${holder}: stop it first. ${file} says so.`);
  }
}

/**
 * Acquires a lock file that names the process doing something, so that no second one does. The file of a dead process
 * is replaced.
 * @param busy Beginning of the sentence that is said while another process holds the lock.
 * @returns a function that releases the lock.
 * @throws Locked if a running process holds it.
 */
export function acquireLock(file: string, busy: string): () => void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const own = `${file}.${process.pid}`;
  writeFileSync(own, lockText(process.pid), { mode: 0o600 });
  try {
    // Linking makes the file appear with its content, and fails if there is one.
    while (!succeeds("EEXIST", () => linkSync(own, file))) removeStaleLock(file, busy);
  } finally {
    rmSync(own);
  }
  held.add(file);
  return () => {
    held.delete(file);
    rmSync(file, { force: true });
  };
}

/**
 * Acquires a lock like `acquireLock`, and waits for a process that holds it for a moment.
 * @param patience Milliseconds for which to wait.
 * @throws Error if it is held for longer.
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

/** Removes the lock file of a dead process, unless another process was faster. */
function removeStaleLock(file: string, busy: string): void {
  // A lock that is held stays where it is all the time: while it is aside, a third process could take it.
  refuseHeld(file, file, busy);
  const aside = `${file}.${process.pid}.dead`;
  if (!succeeds("ENOENT", () => renameSync(file, aside))) return;
  try {
    // Since it was read, another process may have replaced it.
    refuseHeld(aside, file, busy);
  } catch (error) {
    succeeds("EEXIST", () => linkSync(aside, file));
    throw error;
  } finally {
    rmSync(aside);
  }
}

/** @throws Locked if a running process is named in a file. */
function refuseHeld(named: string, file: string, busy: string): void {
  let text = "";
  if (!succeeds("ENOENT", () => (text = readFileSync(named, "utf8")))) return;
  const holder = holderIn(text);
  if (!holder || !isAlive(holder.pid)) return;
  const { pid, start } = holder;
  // A process that is dead may have had the same number, as before a power failure.
  if (start !== undefined && start !== (startOf(pid) ?? start)) return;
  // So may one in a container that was started anew, where nothing tells when.
  if (pid !== process.pid || held.has(file)) throw new Locked(busy, pid, file);
}

/** Returns what a lock file says of the process that holds it: its id, and when it has started if that can be told. */
export function lockText(pid: number): string {
  const start = startOf(pid);
  return start === undefined ? String(pid) : `${pid} ${start}`;
}

/** Reads a lock file; undefined if it names no process, for example after a power failure while writing. */
export function holderIn(text: string): { pid: number; start?: string } | undefined {
  const [, pid, start] = /^([1-9]\d{0,9})(?: (\d{1,20}))?$/.exec(text) ?? [];
  return pid !== undefined && Number(pid) < 2 ** 31 ? { pid: Number(pid), start } : undefined;
}

/** Reads when a process has started, in ticks since the machine has; undefined where the system does not tell. */
function startOf(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The second field is a name in parentheses, which may have any characters; the start is the 22nd.
    return stat
      .slice(stat.lastIndexOf(")") + 2)
      .split(" ")
      .at(22 - 3);
  } catch {
    return undefined;
  }
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
