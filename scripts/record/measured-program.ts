import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";

/** Module that reports the resources of its process on a third output, when the process ends. */
const REPORT = `
  import { writeSync } from "node:fs";
  process.once("exit", () => writeSync(3, JSON.stringify(process.resourceUsage())));
`;

/** Script that runs its arguments in a child: the system counts the memory of a process that it replaces, too. */
const RUN = '"$@"; exit $?';

/** Result of a program, and what the program has used. */
export interface Measured {
  stdout: string;
  stderr: string;
  /** Seconds from the start to the end of the process. */
  seconds: number;
  /** Processor seconds of the process. */
  processorSeconds: number;
  /** Largest memory of the process in MB. */
  megabytes: number;
}

/**
 * Runs a program of the project in its own process.
 * @param program Path of its module.
 * @throws Error if the program fails.
 */
export async function measureProgram(
  program: string,
  args: readonly string[],
  changes: NodeJS.ProcessEnv,
): Promise<Measured> {
  execFileSync("sh", ["scripts/bundle.sh", program]);
  const start = performance.now();
  const own = ["--import", `data:text/javascript,${encodeURIComponent(REPORT)}`, `cache/programs/${program}.mjs`];
  const child = spawn("sh", ["-c", RUN, "sh", process.execPath, ...own, ...args], {
    env: { ...process.env, NO_COLOR: "1", ...changes },
    stdio: ["ignore", "pipe", "pipe", "pipe"],
  });
  const ended = once(child, "close");
  const [stdout, stderr, report] = await Promise.all(
    [1, 2, 3].map((i) => text(child.stdio[i] as NodeJS.ReadableStream)),
  );
  const [code] = (await ended) as [number | null];
  if (code !== 0) throw new Error(`${program} ${args.join(" ")} ended with ${code}: ${stderr}`);
  const { userCPUTime, systemCPUTime, maxRSS } = JSON.parse(report) as NodeJS.ResourceUsage;
  return {
    stdout,
    stderr,
    seconds: (performance.now() - start) / 1000,
    processorSeconds: (userCPUTime + systemCPUTime) / 1e6,
    megabytes: (maxRSS * 1024) / 1e6,
  };
}
