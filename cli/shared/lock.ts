import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";

/**
 * Holds a file that names the process which plays for a player, so that no second one does. What a killed process left
 * behind is taken over. @returns what gives it back. @throws Error if a process that runs has it.
 */
export function acquireLock(file: string, player: string): () => void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const own = `${file}.${process.pid}`;
  writeFileSync(own, String(process.pid), { mode: 0o600 });
  try {
    // A link appears with its content, and only where there is nothing.
    while (!succeeds("EEXIST", () => linkSync(own, file))) removeStaleLock(file, player);
  } finally {
    rmSync(own);
  }
  return () => rmSync(file, { force: true });
}

/** Removes the file of a process that is dead; or none, if somebody is faster. */
function removeStaleLock(file: string, player: string): void {
  const aside = `${file}.${process.pid}.dead`;
  if (!succeeds("ENOENT", () => renameSync(file, aside))) return;
  const holder = holderIn(readFileSync(aside, "utf8"));
  if (holder !== undefined && isAlive(holder)) {
    renameSync(aside, file);
    throw new Error(`An agent plays for ${player} already, process ${holder}: stop it first. ${file} says so.`);
  }
  rmSync(aside);
}

/** The process that a lock names; undefined if it names none, e.g. since the power failed while it was written. */
export function holderIn(text: string): number | undefined {
  return /^[1-9]\d{0,9}$/.test(text) && Number(text) < 2 ** 31 ? Number(text) : undefined;
}

/** Whether a process is there. */
export function isAlive(pid: number): boolean {
  // Somebody else's process may not be asked, but it is there.
  return succeeds("ESRCH", () => succeeds("EPERM", () => process.kill(pid, 0)));
}

/** Whether something can be done: false if it fails with a code. */
function succeeds(code: string, action: () => unknown): boolean {
  try {
    action();
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== code) throw error;
    return false;
  }
}
