import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";

/** Command and arguments that run a program as in a separate container, where process ids start at 1. */
export const CONTAINER = ["unshare", "--map-root-user", "--pid", "--fork", "--kill-child", "--mount-proc"] as const;

/** Returns why this machine cannot run programs as in a container; undefined if it can. */
export function containerTrouble(): string | undefined {
  const [program, ...args] = CONTAINER;
  const { status, error, stderr } = spawnSync(program, [...args, "true"], { encoding: "utf8" });
  return status === 0 ? undefined : (error?.message ?? stderr).trim();
}

/**
 * Skips a test, or a whole suite in its first hook, if this machine cannot run programs as in a container. Adds the
 * reason to the title.
 */
export function requireContainers(context: Mocha.Context): void {
  const trouble = containerTrouble();
  if (trouble === undefined) return;
  context.test!.title += ` (skipped: ${trouble})`;
  context.skip();
}

/** A process that tries to hold a lock. */
export interface Holder {
  child: ChildProcess;
  /** "held", or why it does not hold the lock. */
  said: string;
  /** Kills the process immediately, and waits until it has ended. */
  kill(): Promise<void>;
}

/** Starts a process that tries to hold a lock, by default in a separate container. */
export async function startHolder(file: string, isContained = true): Promise<Holder> {
  const node = [process.execPath, "--import", "tsx", "test/support/lock-holder.ts", file];
  const [program, ...args] = isContained ? [...CONTAINER, ...node] : node;
  const child = spawn(program, args, { stdio: ["ignore", "pipe", "inherit"] });
  const closed = once(child, "close");
  const [said] = (await once(createInterface(child.stdout), "line")) as [string];
  const kill = async () => {
    child.kill("SIGKILL");
    await closed;
  };
  return { child, said, kill };
}
