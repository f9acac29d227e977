import { execFileSync, spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { chownSync, existsSync, globSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { freePort, HOST } from "../cli/shared/server/port.js";

/** Folders in which distributions install the programs of Postgres, outside the PATH. */
const FOLDERS = ["/usr/lib/postgresql/*/bin", "/usr/pgsql-*/bin", "/usr/local/pgsql/bin"];

/** Finds the programs of Postgres; undefined where it is not installed. */
export function postgresFolder(): string | undefined {
  const folders = FOLDERS.flatMap((pattern) => globSync(pattern)).sort();
  return folders.findLast((folder) => existsSync(join(folder, "initdb")) && existsSync(join(folder, "postgres")));
}

/** A private server of Postgres on 127.0.0.1, with one database. */
export class PostgresServer {
  private child?: ChildProcess;

  private constructor(
    private readonly programs: string,
    private readonly folder: string,
    private readonly port: number,
    private readonly settings: readonly string[],
  ) {}

  /**
   * Creates an empty database. `launch` starts its server.
   * @param programs Folder of the programs of Postgres.
   * @param settings Settings of the server, such as `fsync=off`.
   */
  static async create(programs: string, settings: readonly string[] = []): Promise<PostgresServer> {
    const folder = mkdtempSync(join(tmpdir(), "duello-postgres-"));
    const owner = ownerOf();
    if (owner) chownSync(folder, owner.uid, owner.gid);
    const options = ["--pgdata", join(folder, "data"), "--username", "duello", "--auth", "trust", "--no-sync"];
    execFileSync(join(programs, "initdb"), options, { ...owner, cwd: folder, stdio: "pipe" });
    return new PostgresServer(programs, folder, await freePort(), settings);
  }

  /** URL of the database. */
  get url(): string {
    return `postgresql://duello@${HOST}:${this.port}/postgres`;
  }

  /** Starts the server, and returns its process once it takes connections. @throws Error if it ends before that */
  async launch(): Promise<ChildProcess> {
    const { folder, port, programs, settings } = this;
    const address = [`listen_addresses=${HOST}`, `port=${port}`, `unix_socket_directories=${folder}`];
    const args = ["-D", join(folder, "data"), ...[...address, ...settings].flatMap((setting) => ["-c", setting])];
    const child = spawn(join(programs, "postgres"), args, {
      ...ownerOf(),
      cwd: folder,
      stdio: ["ignore", "ignore", "pipe"],
    });
    let log = "";
    const keep = (text: string) => (log += text);
    child.stderr.setEncoding("utf8").on("data", keep);
    while (!log.includes("database system is ready")) {
      if (child.exitCode !== null) throw new Error(`Postgres ended: ${log}`);
      await pause(50);
    }
    child.stderr.off("data", keep).resume();
    this.child = child;
    return child;
  }

  /** Ends the server without a chance to finish its work, as a crash does. */
  async crash(): Promise<void> {
    await this.end("SIGQUIT");
  }

  /** Ends the server if it runs, and removes its data. */
  async stop(): Promise<void> {
    await this.end("SIGINT");
    rmSync(this.folder, { recursive: true });
  }

  private async end(signal: "SIGINT" | "SIGQUIT"): Promise<void> {
    const { child } = this;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, "close");
    child.kill(signal);
    await ended;
  }
}

/** Returns the user that runs Postgres, which refuses to be root; undefined for the caller. */
function ownerOf(): { uid: number; gid: number } | undefined {
  if (userInfo().uid !== 0) return undefined;
  const idOf = (flag: string) => Number(execFileSync("id", [flag, "postgres"], { encoding: "utf8" }));
  return { uid: idOf("-u"), gid: idOf("-g") };
}
