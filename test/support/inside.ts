import type { Ended } from "./running.js";

/** Output in order of writing, with both streams merged. */
export type Written = [stream: "stdout" | "stderr", text: string][];

const { stdin, stdout, stderr } = process;
let last: Promise<unknown> = Promise.resolve();

/** Runs a script's function in this process with changed environment variables, one script at a time. */
export async function runInside(main: () => Promise<number>, changes: NodeJS.ProcessEnv = {}): Promise<Ended> {
  const written: Written = [];
  const code = await runWriting(main, changes, written);
  const textOf = (name: string) => written.map(([stream, text]) => (stream === name ? text : "")).join("");
  return { code, stdout: textOf("stdout"), stderr: textOf("stderr") };
}

/**
 * Runs a script's function like `runInside`.
 * @param written List to which its output is added.
 * @returns its exit code.
 */
export function runWriting(main: () => Promise<number>, changes: NodeJS.ProcessEnv, written: Written): Promise<number> {
  const ended = last.then(() => run(main, changes, written));
  last = ended.catch(() => undefined);
  return ended;
}

async function run(main: () => Promise<number>, changes: NodeJS.ProcessEnv, written: Written): Promise<number> {
  const { env } = process;
  const { HOME: home } = env;
  const terminals = [stdin, stdout, stderr].map(({ isTTY }) => isTTY);
  const writes = [stdout.write, stderr.write];
  const keep = (stream: Written[number][0]) => (text: string | Uint8Array) => {
    const before = written.at(-1);
    if (before?.[0] === stream) before[1] += String(text);
    else written.push([stream, String(text)]);
    return true;
  };
  // `homedir` reads the original environment object, not the object that replaces it below.
  if (changes.HOME !== undefined) env.HOME = changes.HOME;
  process.env = { ...env, NO_COLOR: "1", ...changes };
  for (const stream of [stdin, stdout, stderr]) stream.isTTY = false;
  [stdout.write, stderr.write] = [keep("stdout"), keep("stderr")];
  try {
    return await main();
  } finally {
    [stdout.write, stderr.write] = writes;
    [stdin, stdout, stderr].forEach((stream, i) => (stream.isTTY = terminals[i]));
    process.env = env;
    if (home === undefined) delete env.HOME;
    else env.HOME = home;
  }
}
