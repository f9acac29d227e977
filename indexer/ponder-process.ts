import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { resolve } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { oneLine } from "../sdk/protocol/input.js";
import { SETTING, type Setting } from "./setting.js";

/** Host on which everything listens. */
export const HOST = "127.0.0.1";

/** Level of Ponder's log from which on a line is passed on. */
const WARNING = 40;
/** Message of Ponder's log once its database is open and it answers. */
const SERVING = "Created HTTP server";
/** Message of Ponder's log when blocks are gone that it took for final: it does not go on by itself. */
const TOO_DEEP = "Encountered unrecoverable reorg";

/** Milliseconds that a process has to end by itself. */
const PATIENCE = 10_000;

/** Folder of the configuration; everything is run in the project's folder. */
const FOLDER = resolve("indexer");
const PROGRAM = fileURLToPath(new URL("bin/ponder.js", import.meta.resolve("ponder")));

/** Options of a process of Ponder. */
export interface PonderOptions {
  port: number;
  /** `start` indexes and serves; `serve` only serves what another process indexes. */
  command: "start" | "serve";
  /** URL of Postgres; left out: the embedded database, in the folder of the setting. */
  database?: string;
  /** Called with each warning and error, in one line. */
  onLog: (line: string) => void;
  /** Called once, when the chain was taken back by more blocks than Ponder can undo. */
  onTooDeep: () => void;
}

/** A process of Ponder. */
export class PonderProcess {
  /** Fulfilled when the process has ended, however that came. */
  readonly ended: Promise<unknown>;
  private readonly child: ChildProcess;
  private isStopping = false;
  private isServing = false;

  constructor(setting: Setting, { port, command, database, onLog, onTooDeep }: PonderOptions) {
    const options = ["--schema", setting.schema, "--hostname", HOST, "--port", String(port)];
    const log = ["--log-level", "info", "--log-format", "json"];
    const { DUELLO_GAMES: games, DATABASE_URL: _, DATABASE_PRIVATE_URL: __, ...inherited } = process.env;
    this.child = spawn(process.execPath, ["--no-deprecation", PROGRAM, command, ...options, ...log], {
      cwd: FOLDER,
      env: {
        ...inherited,
        ...(games !== undefined && games !== "" && { DUELLO_GAMES: resolve(games) }),
        ...(database !== undefined && { DATABASE_URL: database }),
        PONDER_TELEMETRY_DISABLED: "true",
        [SETTING]: JSON.stringify(setting),
      },
      stdio: ["ignore", "pipe", "pipe"],
    });
    this.ended = once(this.child, "close");
    let last: string | undefined;
    let isTooDeep = false;
    for (const stream of [this.child.stdout!, this.child.stderr!]) {
      createInterface(stream).on("line", (line) => {
        const { message, told } = readLine(line);
        if (message === SERVING) this.isServing = true;
        if (message === TOO_DEEP && !isTooDeep) {
          isTooDeep = true;
          onTooDeep();
        }
        // The same trouble may be told for each of many blocks.
        if (told === undefined || told === last || this.isStopping) return;
        last = told;
        onLog(told);
      });
    }
  }

  /** Tells if it has come as far as to answer. */
  get hasServed(): boolean {
    return this.isServing;
  }

  /** Number of the process; undefined once it has ended. */
  get pid(): number | undefined {
    const { pid, exitCode, signalCode } = this.child;
    return exitCode === null && signalCode === null ? pid : undefined;
  }

  /** Ends the process. */
  async stop(): Promise<void> {
    this.isStopping = true;
    this.child.kill("SIGTERM");
    const patience = setTimeout(() => this.child.kill("SIGKILL"), PATIENCE);
    await this.ended;
    clearTimeout(patience);
  }
}

/** Reads a line of the log: its message, and what people should be told of it, if anything. */
function readLine(line: string): { message?: string; told?: string } {
  if (line.trim() === "") return {};
  try {
    const { level, msg, error } = JSON.parse(line) as { level: number; msg: string; error?: { message?: string } };
    if (level < WARNING) return { message: msg };
    return { message: msg, told: oneLine(error?.message === undefined ? msg : `${msg}: ${error.message}`) };
  } catch {
    return { told: oneLine(line) };
  }
}
