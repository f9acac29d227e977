import type { Ended } from "./running.js";

const { stdin, stdout, stderr } = process;
let last: Promise<unknown> = Promise.resolve();

/** Runs what a script calls, in this process, one at a time, with what the environment says changed. */
export function runInside(main: () => Promise<number>, changes: NodeJS.ProcessEnv = {}): Promise<Ended> {
  const ended = last.then(() => run(main, changes));
  last = ended.catch(() => undefined);
  return ended;
}

async function run(main: () => Promise<number>, changes: NodeJS.ProcessEnv): Promise<Ended> {
  const written = { stdout: "", stderr: "" };
  const { env } = process;
  const before = [stdin, stdout, stderr].map(({ isTTY }) => isTTY);
  const writes = [stdout.write, stderr.write];
  const keep = (name: keyof typeof written) => (text: string | Uint8Array) => {
    written[name] += String(text);
    return true;
  };
  process.env = { ...env, NO_COLOR: "1", ...changes };
  for (const stream of [stdin, stdout, stderr]) stream.isTTY = false;
  [stdout.write, stderr.write] = [keep("stdout"), keep("stderr")];
  try {
    return { code: await main(), ...written };
  } finally {
    [stdout.write, stderr.write] = writes;
    [stdin, stdout, stderr].forEach((stream, i) => (stream.isTTY = before[i]));
    process.env = env;
  }
}
