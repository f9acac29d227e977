import { execFileSync, spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { chownSync, existsSync, globSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { freePort } from "./running.js";

/** Folders in which distributions install the programs of Postgres, outside the PATH. */
const FOLDERS = ["/usr/lib/postgresql/*/bin", "/usr/pgsql-*/bin", "/usr/local/pgsql/bin"];

/** Finds the programs of Postgres; undefined where it is not installed. */
export function postgresFolder(): string | undefined {
  const folders = FOLDERS.flatMap((pattern) => globSync(pattern)).sort();
  return folders.findLast((folder) => existsSync(join(folder, "initdb")) && existsSync(join(folder, "postgres")));
}

/** A server of Postgres with an empty database, on 127.0.0.1, for one test. */
export class Postgres {
  private child!: ChildProcess;

  private constructor(
    private readonly programs: string,
    private readonly folder: string,
    private readonly port: number,
  ) {}

  /** Starts a server; undefined where Postgres is not installed. @throws Error for that in CI */
  static async startIfInstalled(): Promise<Postgres | undefined> {
    const programs = postgresFolder();
    if (programs !== undefined) return Postgres.start(programs);
    if (process.env.CI) throw new Error("Postgres is not installed.");
    console.log("      Postgres is not installed here: apt-get install postgresql.");
    return undefined;
  }

  static async start(programs: string): Promise<Postgres> {
    const folder = mkdtempSync(join(tmpdir(), "duello-postgres-"));
    const owner = ownerOf();
    if (owner) chownSync(folder, owner.uid, owner.gid);
    const options = ["--pgdata", join(folder, "data"), "--username", "duello", "--auth", "trust", "--no-sync"];
    execFileSync(join(programs, "initdb"), options, { ...owner, cwd: folder, stdio: "pipe" });
    const postgres = new Postgres(programs, folder, await freePort());
    await postgres.resume();
    return postgres;
  }

  /** URL of the database. */
  get url(): string {
    return `postgresql://duello@127.0.0.1:${this.port}/postgres`;
  }

  /** Ends the server as in a crash of its process. */
  async crash(): Promise<void> {
    const ended = once(this.child, "close");
    this.child.kill("SIGQUIT");
    await ended;
  }

  /** Starts the server again with its data. */
  async resume(): Promise<void> {
    const { programs, folder, port } = this;
    const address = ["listen_addresses=127.0.0.1", `port=${port}`, `unix_socket_directories=${folder}`];
    // Data need not survive a crash of the machine, and query plans must not depend on the time of an analysis.
    const settings = [...address, "fsync=off", "autovacuum=off"];
    const args = ["-D", join(folder, "data"), ...settings.flatMap((setting) => ["-c", setting])];
    this.child = spawn(join(programs, "postgres"), args, {
      ...ownerOf(),
      cwd: folder,
      stdio: ["ignore", "ignore", "pipe"],
    });
    let log = "";
    this.child.stderr!.setEncoding("utf8").on("data", (text: string) => (log += text));
    while (!log.includes("database system is ready")) {
      if (this.child.exitCode !== null) throw new Error(`Postgres ended: ${log}`);
      await pause(50);
    }
  }

  /** Ends the server, and removes its data. */
  async stop(): Promise<void> {
    const ended = once(this.child, "close");
    this.child.kill("SIGINT");
    await ended;
    rmSync(this.folder, { recursive: true });
  }
}

/** Returns the user that runs Postgres, which refuses to be root; undefined for the caller. */
function ownerOf(): { uid: number; gid: number } | undefined {
  if (userInfo().uid !== 0) return undefined;
  const idOf = (flag: string) => Number(execFileSync("id", [flag, "postgres"], { encoding: "utf8" }));
  return { uid: idOf("-u"), gid: idOf("-g") };
}
