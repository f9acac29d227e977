import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { resolve } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { freePort, HOST } from "../cli/shared/server/port.js";
import { oneLine } from "../sdk/protocol/input.js";
import { KEY_HEADER } from "./src/api/access.js";
import { SETTING, type Setting } from "./setting.js";

/** Lowest level of Ponder's log lines that are passed on. */
const WARNING = 40;
/** Message that Ponder logs once its database is open and it answers requests. */
const SERVING = "Created HTTP server";
/** Message that Ponder logs if blocks that it treated as final are undone. Ponder then stops working. */
const TOO_DEEP = "Encountered unrecoverable reorg";

/** Milliseconds within which a process must end on its own. */
const PATIENCE = 10_000;
/** Times of the heartbeats of a process, in milliseconds. */
interface SignTimes {
  /** Time after which a heartbeat is missed. */
  limit: number;
  /** Time until the next heartbeat is requested. */
  pause: number;
}

/** Default times of heartbeats. */
const SIGNS: SignTimes = { limit: 2_000, pause: 3_000 };
/** Number of consecutive heartbeats that a process may miss, which takes 30 s. */
const MAX_MISSED = 6;

/** Folder of the configuration; everything is run in the project's folder. */
const FOLDER = resolve("indexer");
const PONDER = fileURLToPath(new URL("bin/ponder.js", import.meta.resolve("ponder")));

/** Options of a Ponder process. */
export interface PonderOptions {
  /** `start` indexes and serves; `serve` only serves what another process indexes. */
  command: "start" | "serve";
  /** URL of Postgres; defaults to the embedded database in the folder of the setting. */
  database?: string;
  /** Path of the program to run with Ponder's arguments; defaults to Ponder's. */
  program?: string;
  signs?: SignTimes;
  /** Called with each warning and error, in one line. */
  onLog: (line: string) => void;
  /** Called once, after a reorganisation of more blocks than Ponder can undo. */
  onTooDeep: () => void;
}

/** A Ponder process that answers only requests of this process. */
export class PonderProcess {
  /** Fulfilled when the process has ended, for whatever reason. */
  readonly ended: Promise<unknown>;
  private isStopping = false;
  private port?: number;
  private missed = 0;

  private constructor(
    private readonly child: ChildProcess,
    private readonly key: string,
    private readonly options: PonderOptions,
  ) {
    this.ended = once(child, "close");
    this.read();
  }

  static async start(setting: Setting, options: PonderOptions): Promise<PonderProcess> {
    const { command, database, program = PONDER } = options;
    // If the port is taken meanwhile, Ponder uses another port, and reports its number.
    const own = ["--schema", setting.schema, "--hostname", HOST, "--port", String(await freePort())];
    const log = ["--log-level", "info", "--log-format", "json"];
    const { DUELLO_GAMES: games, DATABASE_URL: _, DATABASE_PRIVATE_URL: __, ...inherited } = process.env;
    const child = spawn(process.execPath, ["--no-deprecation", program, command, ...own, ...log], {
      cwd: FOLDER,
      env: {
        ...inherited,
        ...(games !== undefined && games !== "" && { DUELLO_GAMES: resolve(games) }),
        ...(database !== undefined && { DATABASE_URL: database }),
        PONDER_TELEMETRY_DISABLED: "true",
        [SETTING]: JSON.stringify(setting),
      },
      // Ponder ends when this process ends, since that closes the pipe to Ponder's standard input.
      stdio: ["pipe", "pipe", "pipe"],
    });
    return new PonderProcess(child, setting.key, options);
  }

  /** True once Ponder has started to answer requests. */
  get hasServed(): boolean {
    return this.port !== undefined;
  }

  /** True while Ponder answers requests. */
  get isAlive(): boolean {
    return this.hasServed && this.pid !== undefined && this.missed === 0;
  }

  /** Id of the process; undefined once it has ended. */
  get pid(): number | undefined {
    const { pid, exitCode, signalCode } = this.child;
    return exitCode === null && signalCode === null ? pid : undefined;
  }

  /** Sends a request. @param path Path and query. */
  async fetch(path: string, init: RequestInit = {}): Promise<Response> {
    if (!this.hasServed) throw new Error("it does not answer yet");
    const headers = new Headers(init.headers);
    headers.set(KEY_HEADER, this.key);
    return fetch(`http://${HOST}:${this.port}${path}`, { ...init, headers });
  }

  /** Requests heartbeats until a signal is aborted, and kills a process that has missed too many. */
  async watch(signal: AbortSignal): Promise<void> {
    const { limit, pause } = this.options.signs ?? SIGNS;
    while (!signal.aborted) {
      await this.check(limit);
      await wait(pause, undefined, { signal }).catch(() => undefined);
    }
  }

  /** Ends the process. */
  async stop(): Promise<void> {
    this.isStopping = true;
    this.child.kill("SIGTERM");
    const patience = setTimeout(() => this.child.kill("SIGKILL"), PATIENCE);
    await this.ended;
    clearTimeout(patience);
  }

  private async check(limit: number): Promise<void> {
    if (!this.hasServed || this.isStopping) return;
    // Counts failures, not seconds: after this process was suspended, Ponder has missed only one heartbeat.
    try {
      await this.fetch("/health", { signal: AbortSignal.timeout(limit) });
      this.missed = 0;
    } catch {
      if (this.pid === undefined || ++this.missed < MAX_MISSED) return;
      this.options.onLog(`The index has given no sign of life ${MAX_MISSED} times in a row, and is killed.`);
      this.child.kill("SIGKILL");
    }
  }

  private read(): void {
    const { onLog, onTooDeep } = this.options;
    let last: string | undefined;
    let isTooDeep = false;
    for (const stream of [this.child.stdout!, this.child.stderr!]) {
      createInterface(stream).on("line", (line) => {
        const { message, port, told } = readLine(line);
        if (message === SERVING) this.port = port;
        if (message === TOO_DEEP && !isTooDeep) {
          isTooDeep = true;
          onTooDeep();
        }
        // The same problem may be reported for each of many blocks.
        if (told === undefined || told === last || this.isStopping) return;
        last = told;
        onLog(told);
      });
    }
  }
}

/** A line of Ponder's log. */
interface LogLine {
  message?: string;
  port?: number;
  /** Text for people, if any. */
  told?: string;
}

/** Reads a line of the log. */
function readLine(line: string): LogLine {
  if (line.trim() === "") return {};
  try {
    const { level, msg, port, error } = JSON.parse(line) as {
      level: number;
      msg: string;
      port?: number;
      error?: { message?: string };
    };
    if (level < WARNING) return { message: msg, port };
    return { message: msg, told: oneLine(error?.message === undefined ? msg : `${msg}: ${error.message}`) };
  } catch {
    return { told: oneLine(line) };
  }
}
