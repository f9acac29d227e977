import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { createServer, type Server } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { HOST, PORT } from "../scripts/local-chain.js";

const TSX = fileURLToPath(import.meta.resolve("tsx/cli"));
export const URL_OF_CHAIN = `http://${HOST}:${PORT}`;
const TRIES = 10;
const PATIENCE = 3000;

interface Ended {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** A running start script: its output so far, and its end. */
export interface Running {
  child: ChildProcess;
  text: () => string;
  ended: Promise<Ended>;
}

/** The start scripts of a test. */
export class Starts {
  private readonly children: ChildProcess[] = [];

  /** Runs the script that is behind `npm start`. */
  start(...args: string[]): Running {
    const env = { ...process.env, NO_COLOR: "1" };
    const child = spawn(process.execPath, [TSX, "scripts/start.ts", ...args], { env, detached: true });
    this.children.push(child);
    let [stdout, stderr] = ["", ""];
    child.stdout.setEncoding("utf8").on("data", (text: string) => (stdout += text));
    child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text));
    const ended = once(child, "close").then(([code]) => ({ code: code as number | null, stdout, stderr }));
    return { child, text: () => stdout, ended };
  }

  /** Starts once the port is free; again if somebody else was quicker. */
  async startAlone(...args: string[]): Promise<Running> {
    for (let n = 0; n < TRIES; n++) {
      await (await occupied()).close();
      const running = this.start(...args);
      const quick = await Promise.race([running.ended, firstOutput(running)]);
      if (!quick?.stderr.includes("is taken")) return running;
    }
    throw new Error(`Port ${PORT} is never free.`);
  }

  /** Starts a chain that stays up, and waits until it listens. */
  async chain(): Promise<Running> {
    const running = await this.startAlone();
    while (!running.text().includes("Listening on")) {
      if (running.child.exitCode !== null) throw new Error(running.text());
      await pause(50);
    }
    return running;
  }

  /** Ends what still runs. */
  kill(): void {
    // Each child leads a group of its own: this reaches what it started, and nothing else.
    for (const { pid, exitCode, signalCode } of this.children.splice(0)) {
      if (exitCode === null && signalCode === null) process.kill(-pid!, "SIGKILL");
    }
  }
}

/** A server of this test on the chain's port, as soon as nobody else has it. */
export async function occupied(): Promise<{ close: () => Promise<unknown> }> {
  for (let n = 0; n < TRIES; n++) {
    const server = await listening().catch(() => undefined);
    if (server) return { close: () => new Promise((resolve) => server.close(resolve)) };
    await pause(PATIENCE);
  }
  throw new Error(`Port ${PORT} is taken by somebody else: stop what listens there.`);
}

/** Nobody listens any more: the port can be had at once. */
export async function expectFree(): Promise<void> {
  const server = await listening();
  await new Promise((resolve) => server.close(resolve));
}

/** Asks the running chain. */
export async function rpc(method: string, params: unknown[] = []): Promise<unknown> {
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
  const headers = { "content-type": "application/json" };
  const response = await fetch(URL_OF_CHAIN, { method: "POST", body, headers });
  return ((await response.json()) as { result: unknown }).result;
}

/** Addresses by the contract's name, as printed. */
export function addressesIn(text: string): Map<string, string> {
  const lines = [...text.matchAll(/^(\w+) +(0x[0-9a-fA-F]{40})$/gm)];
  return new Map(lines.map(([, name, address]) => [name, address]));
}

async function listening(): Promise<Server> {
  const server = createServer((socket) => socket.destroy());
  server.listen(PORT, HOST);
  await once(server, "listening");
  return server;
}

async function firstOutput({ text }: Running): Promise<undefined> {
  while (text() === "") await pause(20);
}
