import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";

/** Seconds that a file may lack its number: whoever has made it is about to write it. */
const WRITING = 1000;

/**
 * Holds a file that says which process plays for a player, so that no second one does. One that a killed process left
 * behind is taken over. @returns what gives it back. @throws Error if a process that runs has it.
 */
export function lock(file: string, player: string): () => void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  for (;;) {
    try {
      writeFileSync(file, String(process.pid), { flag: "wx", mode: 0o600 });
      return () => rmSync(file, { force: true });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
      const holder = Number(readFileSync(file, "utf8"));
      if (isAlive(holder)) {
        throw new Error(`An agent plays for ${player} already, process ${holder}: stop it first. ${file} says so.`);
      }
      rmSync(file, { force: true });
    }
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // It is there, but somebody else's.
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
