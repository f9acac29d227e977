import { readFile } from "node:fs/promises";

const MEGABYTE = 2 ** 20;
/** Ticks per second of a process's clock in /proc. */
const TICKS = 100;

/** Resources of a process. */
export interface Usage {
  /** Processor time in milliseconds. */
  time: number;
  /** Memory in megabytes. */
  memory: number;
}

/** Reads the processor time and memory that a process has used. */
export async function usageOf(pid: number): Promise<Usage> {
  const [user, system] = await ticksOf(pid);
  const [, resident] = /^VmRSS:\s+(\d+) kB$/m.exec(await readFile(`/proc/${pid}/status`, "utf8"))!;
  return { time: ((user + system) * 1000) / TICKS, memory: (Number(resident) * 1024) / MEGABYTE };
}

/** Returns the processor milliseconds of a process and of all its descendants, including those that have ended. */
export async function treeTimeOf(pid: number): Promise<number> {
  const pids = [pid, ...(await descendantsOf(pid))];
  // A process may end in the meantime. Its parent then has its time.
  const ticks = await Promise.all(pids.map((each) => ticksOf(each).catch(() => [0])));
  return (ticks.flat().reduce((sum, each) => sum + each, 0) * 1000) / TICKS;
}

/** Returns the processes that a process has started, directly or not, and that still run. */
export async function descendantsOf(pid: number): Promise<number[]> {
  const written = await readFile(`/proc/${pid}/task/${pid}/children`, "utf8").catch(() => "");
  const children = written.split(" ").filter(Boolean).map(Number);
  return [...children, ...(await Promise.all(children.map(descendantsOf))).flat()];
}

/** Reads the ticks of a process for its user and for the system, then those of its children that have ended. */
async function ticksOf(pid: number): Promise<number[]> {
  const stat = await readFile(`/proc/${pid}/stat`, "utf8");
  return stat
    .slice(stat.lastIndexOf(")") + 2)
    .split(" ")
    .slice(11, 15)
    .map(Number);
}
