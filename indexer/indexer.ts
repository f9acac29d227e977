import { traitsOf } from "../sdk/chain/traits.js";
import { createHash, randomUUID } from "node:crypto";
import { globSync, readFileSync } from "node:fs";
import { mkdir, readdir, rm } from "node:fs/promises";
import type { BlockList } from "node:net";
import { join, resolve } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import type { Provider } from "ethers";
import type { Deployment } from "../sdk/chain/deployment.js";
import { hashOf } from "../sdk/chain/source.js";
import { Gateway } from "./gateway.js";
import { HOST, INDEX_PORT } from "../cli/shared/server/port.js";
import { PonderProcess, type PonderOptions } from "./ponder-process.js";
import { Progress } from "./progress.js";
import type { Setting } from "./setting.js";

/** Returns the folder of the embedded database for the server on a port: no two processes may open the same folder. */
const folderOf = (port: number) => resolve("cache", "index", String(port));

/** Milliseconds between two polls of a local chain and of any other chain. */
const LOCAL_PAUSE = 200;
const PAUSE = 2_000;
/** Milliseconds between two reads of the chain's first block and of the index's progress. */
const WATCH_PAUSE = 2_000;
const FOLLOW_PAUSE = 1_000;
/** Milliseconds within which the process must report its progress. */
const LOOK_LIMIT = 10_000;
/** Milliseconds between two checks of whether everything is indexed. */
const READY_PAUSE = 200;
/** Milliseconds before an index that has ended is restarted: at first, and the maximum. */
const FIRST_RETRY = 1_000;
const LAST_RETRY = 30_000;

/**
 * Number of host names under which a local node is queried: Ponder initially sends 20 requests a second per name, a
 * rate for public nodes.
 */
const LOCAL_NAMES = 25;

/** Advice after a reorganisation of blocks that the database treats as final. */
const ANEW = "All of it is read again.";
const EMPTY_IT = "Stop the index, empty its database, and start it again.";

/** Options of an index. */
export interface IndexerOptions extends Pick<PonderOptions, "program" | "signs"> {
  /** Reads the deployment; called again whenever the chain was restarted. */
  deployment: () => Promise<Deployment>;
  provider: Provider;
  /** URLs of the chain's nodes. */
  rpc: readonly string[];
  port?: number;
  /** Address to listen on; defaults to 127.0.0.1. */
  host?: string;
  /** Option that the error names if the port is taken; defaults to `--port`. */
  portOption?: string;
  /** URL of Postgres; defaults to the embedded database. */
  database?: string;
  /** Folder of the embedded database; defaults to one that belongs to the port. */
  folder?: string;
  /** True to serve only what another process indexes into the same Postgres. */
  isReplica?: boolean;
  /** Proxies whose `X-Forwarded-For` is trusted; defaults to none. */
  proxies?: BlockList;
  /**
   * True to answer SQL queries. With the embedded database a slow query blocks the index until it is killed and
   * restarted, so others should not have access.
   */
  hasSql?: boolean;
  /** Called with messages for people, in one line. */
  onLog?: (line: string) => void;
  /** Returns milliseconds since an arbitrary moment. */
  now?: () => number;
}

/**
 * Index of a deployment, which runs Ponder in its own process. Restarts Ponder if it ends, and indexes everything again
 * if the chain was restarted.
 */
export class Indexer {
  private process?: PonderProcess;
  private gateway!: Gateway;
  private readonly progress = new Progress();
  /** True if Ponder last answered that it has read the history. */
  private hasHistory = false;
  private isStopped = false;
  private readonly stopping = new AbortController();
  private running!: Promise<void>;

  private constructor(private readonly options: IndexerOptions) {}

  /** Starts an index, which accepts requests immediately. @throws Error if the port is taken */
  static async start(options: IndexerOptions): Promise<Indexer> {
    const indexer = new Indexer(options);
    indexer.gateway = await indexer.listen();
    indexer.running = indexer.run();
    return indexer;
  }

  /** URL of the index: GraphQL at `/graphql`, `/health`, `/ready`, `/status`, and SQL at `/sql` if enabled. */
  get url(): string {
    return `http://${this.options.host ?? HOST}:${this.port}`;
  }

  /** Id of the indexing process, which changes on a restart; undefined while no process runs. */
  get pid(): number | undefined {
    return this.process?.pid;
  }

  /** Waits until everything up to a block is indexed. @param block Defaults to the chain's latest block. */
  async ready(block?: number): Promise<void> {
    const wanted = block ?? (await this.options.provider.getBlockNumber());
    for (;;) {
      const reached = await this.block();
      if (reached !== undefined && reached >= wanted) return;
      if (this.isStopped) throw new Error("The index was stopped.");
      await wait(READY_PAUSE);
    }
  }

  /** Returns the number of the last block that is indexed; undefined while no block is. */
  async block(): Promise<number | undefined> {
    try {
      const signal = AbortSignal.timeout(LOOK_LIMIT);
      const ready = await this.process!.fetch("/ready", { signal });
      this.hasHistory = ready.ok;
      if (!ready.ok) return undefined;
      const status = (await (await this.process!.fetch("/status", { signal })).json()) as Record<
        string,
        { block: { number: number } }
      >;
      return status.duello?.block.number;
    } catch {
      return undefined;
    }
  }

  /** Stops the index. */
  async stop(): Promise<void> {
    this.isStopped = true;
    this.stopping.abort();
    await this.process?.stop();
    await this.running;
    await this.gateway.close();
  }

  /** Returns why the index is not ready; undefined if it is. */
  private trouble(): string | undefined {
    if (!this.process?.hasServed || this.process.pid === undefined) return "The index is starting.";
    if (!this.process.isAlive) return "The index gives no sign of life.";
    if (!this.hasHistory) return "The index reads the history.";
    return this.progress.isStalled(this.now()) ? "The index does not follow the chain." : undefined;
  }

  private now(): number {
    return this.options.now?.() ?? performance.now();
  }

  private get port(): number {
    return this.options.port ?? INDEX_PORT;
  }

  private async listen(): Promise<Gateway> {
    const { host, hasSql = false, proxies, portOption } = this.options;
    const { port } = this;
    const [ponder, trouble] = [() => this.process, () => this.trouble()];
    return Gateway.listen({ port, host, portOption, hasSql, proxies, ponder, trouble });
  }

  private async run(): Promise<void> {
    const { onLog = () => undefined } = this.options;
    let retry = FIRST_RETRY;
    while (!this.isStopped) {
      const start = performance.now();
      try {
        if (await this.runOnce()) {
          onLog("The chain was restarted: so is the index.");
          continue;
        }
      } catch (error) {
        onLog(`The index cannot be started: ${(error as Error).message}`);
      }
      if (this.isStopped) return;
      if (performance.now() - start > LAST_RETRY) retry = FIRST_RETRY;
      onLog(`The index is started again in ${retry / 1000} s.`);
      await this.pause(retry);
      retry = Math.min(2 * retry, LAST_RETRY);
    }
  }

  /** Starts Ponder, and waits until it ends or the chain is restarted. @returns true if the chain was restarted. */
  private async runOnce(): Promise<boolean> {
    const { provider, database, isReplica = false, onLog = () => undefined, program, signs } = this.options;
    const genesis = await hashOf(provider, 0);
    const deployment = await this.options.deployment();
    const { Arena } = deployment.addresses;
    if ((await provider.getCode(Arena)) === "0x") throw new Error(`there is no contract at ${Arena} yet`);
    const name = nameOf(deployment, genesis);
    const setting = await this.settingFor(deployment, genesis, name);
    if (this.isStopped) return false;
    const command = isReplica ? "serve" : "start";
    let isTooDeep = false;
    const onTooDeep = () => {
      onLog(`The chain was taken back by more blocks than can be undone. ${database === undefined ? ANEW : EMPTY_IT}`);
      if (database !== undefined) return;
      isTooDeep = true;
      void ponder.stop();
    };
    const ponder = await PonderProcess.start(setting, { command, database, program, signs, onLog, onTooDeep });
    this.process = ponder;
    this.hasHistory = false;
    if (this.isStopped) void ponder.stop();
    const left = new AbortController();
    const ended = ponder.ended.then(() => left.abort());
    const checked = Promise.all([ponder.watch(left.signal), this.follow(left.signal)]);
    const isRestarted = await this.watch(genesis, left.signal);
    if (isRestarted) await ponder.stop();
    await ended;
    await checked;
    if ((!ponder.hasServed || isTooDeep) && setting.folder !== undefined && !this.isStopped) {
      // A killed process can leave an embedded database that cannot be opened; then everything is read again.
      await rm(setting.folder, { recursive: true, force: true });
    }
    return isRestarted;
  }

  private async settingFor(deployment: Deployment, genesis: string, name: string): Promise<Setting> {
    const { chainId, block, addresses } = deployment;
    const isLocal = traitsOf(chainId).minesOnDemand;
    const { database, rpc } = this.options;
    const names = isLocal ? rpc.flatMap((url) => Array.from({ length: LOCAL_NAMES }, (_, i) => `${url}/?${i}`)) : rpc;
    const pause = isLocal ? LOCAL_PAUSE : PAUSE;
    const { hasSql = false } = this.options;
    const key = randomUUID();
    const setting = { chainId, genesis, block, addresses, rpc: names, pause, schema: name, hasSql, key };
    if (database !== undefined) return setting;
    const { folder = folderOf(this.port) } = this.options;
    await mkdir(folder, { recursive: true });
    await removeOthers(folder, name);
    return { ...setting, folder: join(folder, name) };
  }

  /** Watches the chain until a signal is aborted. @returns true as soon as its first block has changed. */
  private async watch(genesis: string, signal: AbortSignal): Promise<boolean> {
    while (!signal.aborted && !this.isStopped) {
      await this.pause(WATCH_PAUSE, signal);
      // A node that does not answer now may answer later.
      if ((await hashOf(this.options.provider, 0).catch(() => genesis)) !== genesis) return true;
    }
    return false;
  }

  /** Compares the index with its chain until a signal is aborted. */
  private async follow(signal: AbortSignal): Promise<void> {
    while (!signal.aborted && !this.isStopped) {
      // Uses the time from before the reads: after slow reads, the results are old.
      const now = this.now();
      const head = await this.options.provider.getBlockNumber().catch(() => undefined);
      const indexed = await this.block();
      if (head !== undefined && indexed !== undefined) this.progress.note(head, indexed, now);
      await this.pause(FOLLOW_PAUSE, signal);
    }
  }

  private async pause(milliseconds: number, signal?: AbortSignal): Promise<void> {
    const signals = [this.stopping.signal, ...(signal ? [signal] : [])];
    await wait(milliseconds, undefined, { signal: AbortSignal.any(signals) }).catch(() => undefined);
  }
}

/** Names the database of a deployment after the chain, its first block, the arena, and the version of this program. */
function nameOf({ chainId, addresses }: Deployment, genesis: string): string {
  return `duello_${chainId}_${genesis.slice(2, 10)}_${addresses.Arena.slice(2, 10).toLowerCase()}_${fingerprint()}`;
}

/** Returns a few digits that change with everything that determines the rows. */
function fingerprint(): string {
  const hash = createHash("sha256");
  const patterns = ["indexer/src/**/*.ts", "indexer/ponder.*.ts", "sdk/**/*.ts", "package-lock.json"];
  for (const file of globSync(patterns, { exclude: ["sdk/dist", "sdk/examples"] }).sort()) {
    hash.update(file).update(readFileSync(file));
  }
  return hash.digest("hex").slice(0, 8);
}

/** Removes all embedded databases of a folder except one. */
async function removeOthers(folder: string, wanted: string): Promise<void> {
  const others = (await readdir(folder)).filter((name) => name !== wanted);
  await Promise.all(others.map((name) => rm(join(folder, name), { recursive: true, force: true })));
}
