import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { createServer, type AddressInfo } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { urlOf } from "../../scripts/local-chain.js";
import { bundled } from "./bundled.js";
import { CONTAINER } from "./containers.js";

export { freePort } from "../../cli/shared/server/port.js";

export interface Ended {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** A running script: its output so far, and its end. */
export interface Running {
  child: ChildProcess;
  text: () => string;
  /** Returns its output on standard error so far. */
  errors: () => string;
  ended: Promise<Ended>;
}

const children: ChildProcess[] = [];

/** The program and the arguments that run one of the scripts. */
export function commandFor(script: string, args: readonly string[]): string[] {
  // Hardhat's settings are TypeScript, about which some versions of Node warn.
  return [process.execPath, "--disable-warning=ExperimentalWarning", bundled(script), ...args];
}

/** Runs one of the scripts, with changed environment variables, and without a terminal. */
export function runScript(script: string, args: readonly string[], changes: NodeJS.ProcessEnv = {}): Running {
  return runProgram(commandFor(script, args), changes);
}

/** Runs a program with its arguments, as `runScript` does. */
export function runProgram(command: readonly string[], changes: NodeJS.ProcessEnv = {}): Running {
  const running = startCommand(command, changes);
  children.push(running.child);
  return running;
}

/** Starts one of the scripts, as `runScript` does, for callers that stop it themselves. */
export function startScript(script: string, args: readonly string[], changes: NodeJS.ProcessEnv = {}): Running {
  return startCommand(commandFor(script, args), changes);
}

/** Runs one of the scripts, as `runScript` does, but in a separate container. */
export function runContained(script: string, args: readonly string[], changes: NodeJS.ProcessEnv = {}): Running {
  return runProgram([...CONTAINER, ...commandFor(script, args)], changes);
}

function startCommand([program, ...rest]: readonly string[], changes: NodeJS.ProcessEnv): Running {
  const env = { ...process.env, NO_COLOR: "1", ...changes };
  const child = spawn(program, rest, { env, stdio: ["ignore", "pipe", "pipe"] });
  let [stdout, stderr] = ["", ""];
  child.stdout.setEncoding("utf8").on("data", (text: string) => (stdout += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text));
  const ended = once(child, "close").then(([code]) => ({ code: code as number | null, stdout, stderr }));
  return { child, text: () => stdout, errors: () => stderr, ended };
}

/** Ends the scripts that are still running. */
export function stopScripts(): void {
  for (const child of children.splice(0)) child.kill("SIGKILL");
}

/** Waits until a running `npm start` has played its match and listens. */
export async function listens({ child, text, errors }: Running): Promise<void> {
  while (!text().includes("Listening on")) {
    if (child.exitCode !== null) throw new Error(`npm start ended: ${text()}${errors()}`);
    await pause(50);
  }
}

/** Returns the addresses that a running `npm start` has printed, by contract. */
export function addressesIn(text: string): Map<string, string> {
  const lines = [...text.matchAll(/^(\w+) +(0x[0-9a-fA-F]{40})$/gm)];
  return new Map(lines.map(([, name, address]) => [name, address]));
}

/** Starts a server on a port, to occupy it; 0 means any free port. */
export async function occupy(port = 0): Promise<{ port: number; close: () => Promise<unknown> }> {
  const server = createServer((socket) => socket.destroy());
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  return {
    port: (server.address() as AddressInfo).port,
    close: () => new Promise((resolve) => server.close(resolve)),
  };
}

/** Sends a request to the chain on a port. */
export async function rpc(port: number, method: string, params: unknown[] = []): Promise<unknown> {
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
  const headers = { "content-type": "application/json" };
  const response = await fetch(urlOf(port), { method: "POST", body, headers });
  return ((await response.json()) as { result: unknown }).result;
}
