import { spawn } from "node:child_process";
import { constants, setPriority } from "node:os";
import { stripVTControlCharacters } from "node:util";

/** How a program runs. */
export interface Running {
  /** Ends the program, and all programs that it has started. */
  signal?: AbortSignal;
  /** True if other programs have priority. */
  isBackground?: boolean;
}

interface Place {
  cwd?: string;
  env?: NodeJS.ProcessEnv;
}

/** Runs a program without showing its output. @throws the reason of the signal */
export async function runQuietly(
  program: string,
  args: readonly string[],
  { signal, isBackground, ...place }: Running & Place,
): Promise<{ code: number | null; output: string }> {
  signal?.throwIfAborted();
  // A group of processes can be ended at once. Without a signal, the program ends with the terminal's group.
  const child = spawn(program, args, { ...place, detached: signal !== undefined, stdio: ["ignore", "pipe", "pipe"] });
  if (isBackground && child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_LOW);
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text: string) => (output += text));
  }
  const end = () => {
    try {
      if (child.pid !== undefined) process.kill(-child.pid, "SIGTERM");
    } catch {
      // The group has just ended on its own.
    }
  };
  signal?.addEventListener("abort", end);
  try {
    const code = await new Promise<number | null>((done, failed) => child.on("error", failed).on("close", done));
    signal?.throwIfAborted();
    return { code, output: stripVTControlCharacters(output) };
  } finally {
    signal?.removeEventListener("abort", end);
  }
}
