import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { HOST } from "../../cli/shared/server/port.js";
import { urlOf } from "../local-chain.js";
import { descendantsOf, treeTimeOf, usageOf, type Usage } from "../process-usage.js";

/** Milliseconds between two looks at a server that starts or ends. */
const LOOK = 20;

/** A server of a measurement, which can be killed and started again. */
export class Server {
  private child?: ChildProcess;
  /** Processor milliseconds of the processes that were killed. */
  private before = 0;
  private isEnding = false;
  /** End of the last operation. */
  private last: Promise<unknown> = Promise.resolve();
  private fail!: (error: Error) => void;
  /** Rejects if the server ends by itself. */
  readonly failed = new Promise<never>((_, reject) => (this.fail = reject));

  /** @param launch Starts the process, and returns it once the server takes connections. */
  private constructor(
    readonly name: string,
    private readonly launch: () => Promise<ChildProcess>,
  ) {
    this.failed.catch(() => undefined);
  }

  static async start(name: string, launch: () => Promise<ChildProcess>): Promise<Server> {
    const server = new Server(name, launch);
    await server.run();
    return server;
  }

  /** Kills the process and all processes that it has started, and starts the server again; does nothing after a stop. */
  kill(): Promise<void> {
    return this.inTurn(async () => {
      if (this.isEnding) return;
      const { pid } = this.child!;
      const pids = [pid!, ...(await descendantsOf(pid!))];
      this.before += await treeTimeOf(pid!);
      this.isEnding = true;
      for (const each of pids) process.kill(each, "SIGKILL");
      while (await someRun(pids)) await pause(LOOK);
      await this.run();
    });
  }

  /** Returns the processor time since the start, and the memory of the main process. */
  usage(): Promise<Usage> {
    return this.inTurn(async () => {
      const { pid } = this.child!;
      const [time, { memory }] = await Promise.all([treeTimeOf(pid!), usageOf(pid!)]);
      return { time: this.before + time, memory };
    });
  }

  /** Stops the server in the way its host does. */
  stop(): Promise<void> {
    return this.inTurn(async () => {
      const { child } = this;
      this.isEnding = true;
      if (!child || child.exitCode !== null || child.signalCode !== null) return;
      const ended = once(child, "close");
      child.kill("SIGINT");
      await ended;
    });
  }

  /** Runs operations one at a time: while the server starts, it has no process. */
  private async inTurn<T>(action: () => Promise<T>): Promise<T> {
    const turn = this.last.then(action);
    this.last = turn.catch(() => undefined);
    return turn;
  }

  private async run(): Promise<void> {
    this.child = await this.launch();
    this.isEnding = false;
    this.child.once("exit", (code, signal) => {
      if (!this.isEnding) this.fail(new Error(`${this.name} has ended by itself with ${code ?? signal}.`));
    });
  }
}

/** Starts a relay. @param share Share of one core that it may use, from 0 to 1; undefined for all it can get. */
export async function launchRelay(args: readonly string[], env: NodeJS.ProcessEnv, share?: number) {
  const child = spawn("sh", ["scripts/run.sh", "cli/relay/main.ts", ...args, "--trust-proxy", HOST], {
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const closed = once(child, "close").then(() => Promise.reject(new Error("The relay does not start.")));
  closed.catch(() => undefined);
  await Promise.race([once(child.stdout, "data"), closed]);
  child.stdout.resume();
  if (share === undefined) return child;
  const limit = ["--pid", String(child.pid), "--limit", String(Math.round(100 * share)), "--lazy", "--quiet"];
  // Ends with the relay.
  spawn(programOf("cpulimit"), limit, { stdio: ["ignore", "ignore", "inherit"] });
  return child;
}

/** Starts HAProxy in front of relays, which gets the requests in turn. */
export async function launchBalancer(folder: string, port: number, relays: readonly string[]): Promise<ChildProcess> {
  const file = join(folder, "haproxy.cfg");
  const servers = relays.map((url, i) => `  server relay${i + 1} ${new URL(url).host}`);
  await writeFile(file, [BALANCER, `  bind ${HOST}:${port}`, ...servers, ""].join("\n"));
  const child = spawn(programOf("haproxy"), ["-q", "-db", "-f", file], { stdio: ["ignore", "ignore", "inherit"] });
  while (!(await answers(urlOf(port)))) {
    if (child.exitCode !== null) throw new Error(`HAProxy has ended with ${child.exitCode}.`);
    await pause(LOOK);
  }
  return child;
}

/**
 * A request that a relay has not answered goes to another one: every request can be repeated. By default HAProxy may hold
 * back an event for 200 milliseconds.
 */
const BALANCER = `defaults
  mode http
  timeout connect 2s
  timeout client 120s
  timeout server 120s
  timeout queue 2s
  retries 3
  retry-on conn-failure empty-response
  option redispatch 1
  option http-buffer-request
  option http-no-delay
  option httpchk GET /
  timeout check 5s
  default-server check inter 500ms fall 2 rise 1 observe layer4 error-limit 5 on-error mark-down
listen relays
  balance roundrobin`;

/** Returns the path of a program. @throws Error with the command that installs it */
export function programOf(name: string): string {
  // Debian installs some programs in folders that are only in root's PATH.
  const folders = [...(process.env.PATH ?? "").split(delimiter), "/usr/sbin", "/usr/local/sbin"];
  const path = folders.map((folder) => join(folder, name)).find((each) => existsSync(each));
  if (path === undefined) throw new Error(`${name} is not installed. On Debian: apt-get install ${name}.`);
  return path;
}

async function answers(url: string): Promise<boolean> {
  return fetch(url).then(
    ({ ok }) => ok,
    () => false,
  );
}

/** True while one of these processes runs. A process that has ended may remain as a zombie. */
async function someRun(pids: readonly number[]): Promise<boolean> {
  const states = await Promise.all(pids.map((pid) => readFile(`/proc/${pid}/stat`, "utf8").catch(() => "")));
  return states.some((stat) => /\) [^ZX]/.test(stat));
}
