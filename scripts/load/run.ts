import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { freePort } from "../../cli/shared/server/port.js";
import { unlessAborted } from "../../sdk/chain/waiting.js";
import type { ChannelPlayerNumber } from "../../sdk/protocol/channels/wire.js";
import { urlOf } from "../local-chain.js";
import { PostgresServer, postgresFolder } from "../postgres-server.js";
import { usageOf, type Usage } from "../process-usage.js";
import { onTemporaryChain, type TemporaryChain } from "../temporary-chain.js";
import { sumOf, type Faults } from "./ledger.js";
import { now } from "./player.js";
import type { Killed, PlayersFigures, Request, Setup } from "./players.js";
import { launchBalancer, launchRelay, programOf, Server } from "./servers.js";
import { storedFaults } from "./stored.js";

/** Options of a measurement. */
export interface LoadOptions {
  players: number;
  minutes: number;
  relays: number;
  /** True to store the messages in Postgres instead of a folder. */
  postgres: boolean;
  /** Mean of the seconds that a player thinks. */
  think: number;
  /** Number of times that a server is killed. */
  kills: number;
  /** Number of messages that are signed beforehand; the run ends with them. Undefined for players who sign and check. */
  recorded?: number;
  /** Share of one core that each relay may use; undefined for no limit. */
  relayShare?: number;
  seed: string;
}

/** What a measurement has found. */
export interface Figures {
  /** Messages that arrived in the measured part of the run, and its seconds. */
  messages: number;
  seconds: number;
  processes: readonly ProcessFigures[];
  /** Of the processes of players. */
  players: readonly PlayersFigures[];
  /** Faults in what arrived at the players, and in what the relays have stored. */
  arrived: Faults;
  stored: Faults;
  /** Names of the servers that were killed. */
  killed: readonly string[];
}

export interface ProcessFigures {
  name: string;
  kind: Killed | "balancer" | "players";
  /** Processor milliseconds in the measured part of the run. */
  time: number;
  /** Megabytes at each mark of the run. */
  memory: readonly number[];
}

/** Parts of a run at which figures are read. The measurement begins at the first mark, since programs start slowly. */
export const MARKS = [0.1, 0.5, 1];
/** Marks of a run that ends with its messages: in its last part, some pairs have none left. */
export const RECORDED_MARKS = [0.1, 0.5, 0.9];
/** Milliseconds between two counts of messages in such a run, and within which another one must arrive. */
const LOOK = 100;
const PATIENCE = 60_000;
const MINUTE = 60_000;
/**
 * Option for the processes of players. With the default for young objects, the garbage of hundreds of players in one process
 * becomes old, and its collection stops them all for up to half a second.
 */
const MEMORY = "--max-semi-space-size=64";

/**
 * Runs players against relays.
 * @throws Error if a program is missing, a process fails, or no message arrives any more; the reason of the signal
 */
export async function load(options: LoadOptions, signal: AbortSignal): Promise<Figures> {
  return onTemporaryChain(async (chain) => {
    const closers: (() => Promise<unknown>)[] = [];
    try {
      const { servers, url } = await startServers(options, chain, closers);
      const { players: count, recorded, seed, think } = options;
      const pairs = count / 2;
      const setup = { at: chain.at, url, seed, pairs, think: recorded === undefined ? think : 0 };
      const perPair = recorded === undefined ? undefined : Math.ceil(recorded / pairs);
      const players = ([1, 2] as const).map((player) => new PlayersProcess(player, { ...setup, recorded: perPair }));
      closers.push(...players.map((each) => () => each.stop()));
      const run = new Run(options, setup, servers, players);
      closers.push(async () => run.end());
      const failed = servers.map(({ server }) => server.failed);
      return await unlessAborted(Promise.race([run.measure(), ...failed]), signal);
    } finally {
      for (const close of closers.toReversed()) await close();
    }
  });
}

interface RunningServer {
  server: Server;
  kind: ProcessFigures["kind"];
}

/** Starts store, relays and balancer. @returns them with the URL for players */
async function startServers(options: LoadOptions, chain: TemporaryChain, closers: (() => Promise<unknown>)[]) {
  const { postgres, relays, relayShare } = options;
  if (relays > 1) programOf("haproxy");
  if (relayShare !== undefined) programOf("cpulimit");
  const servers: RunningServer[] = [];
  const start = async (kind: RunningServer["kind"], name: string, launch: () => Promise<ChildProcess>) => {
    const server = await Server.start(name, launch);
    closers.push(() => server.stop());
    servers.push({ server, kind });
  };
  let storage: NodeJS.ProcessEnv = {};
  if (postgres) {
    const programs = postgresFolder();
    if (programs === undefined) throw new Error("Postgres is not installed. On Debian: apt-get install postgresql.");
    const database = await PostgresServer.create(programs);
    closers.push(() => database.stop());
    await start("store", "store", () => database.launch());
    storage = { RELAY_STORE: database.url };
  }
  const urls: string[] = [];
  for (let i = 1; i <= relays; i++) {
    const port = await freePort();
    const args = ["--rpc", chain.url, "--port", String(port)];
    const env = { ...storage, DUELLO_HOME: join(chain.folder, `relay ${i}`) };
    await start("relay", `relay ${i}`, () => launchRelay(args, env, relayShare));
    urls.push(urlOf(port));
  }
  if (relays === 1) return { servers, url: urls[0] };
  const port = await freePort();
  await start("balancer", "balancer", () => launchBalancer(chain.folder, port, urls));
  return { servers, url: urlOf(port) };
}

/** A process with one player of each pair. */
class PlayersProcess {
  private readonly child: ChildProcess;
  private readonly ended: Promise<never>;

  constructor(
    private readonly player: ChannelPlayerNumber,
    private readonly setup: Omit<Setup, "player">,
  ) {
    this.child = spawn("sh", ["scripts/run.sh", "scripts/load/players-process.ts"], {
      env: { ...process.env, NODE_OPTIONS: `${process.env.NODE_OPTIONS ?? ""} ${MEMORY}` },
      stdio: ["ignore", "inherit", "inherit", "ipc"],
      serialization: "advanced",
    });
    this.ended = once(this.child, "exit").then(([code]) =>
      Promise.reject(new Error(`The players' process has ended with ${code}.`)),
    );
    this.ended.catch(() => undefined);
  }

  async enter(): Promise<void> {
    await this.ask({ type: "enter", setup: { ...this.setup, player: this.player } });
  }

  /** Sends a request, and returns its answer; one request at a time. */
  async ask<T>(request: Request): Promise<T> {
    const answer = once(this.child, "message") as Promise<[T]>;
    this.child.send(request);
    return (await Promise.race([answer, this.ended]))[0];
  }

  usage(): Promise<Usage> {
    return usageOf(this.child.pid!);
  }

  async stop(): Promise<void> {
    if (this.child.connected) this.child.disconnect();
    await this.ended.catch(() => undefined);
  }
}

/** Figures at a mark of a run. */
interface Sample {
  time: number;
  arrived: number;
  usages: Usage[];
}

class Run {
  private readonly killed: string[] = [];
  private readonly over = new AbortController();
  private began = 0;
  /** Orders the requests to the players. */
  private asking: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly options: LoadOptions,
    private readonly setup: Omit<Setup, "player">,
    private readonly servers: readonly RunningServer[],
    private readonly players: readonly PlayersProcess[],
  ) {}

  async measure(): Promise<Figures> {
    const { recorded } = this.options;
    await Promise.all(this.players.map((each) => each.enter()));
    await this.ask({ type: "play" });
    this.began = now();
    const kills = this.kill();
    const reading = async () => {
      const samples: Sample[] = [];
      for (const mark of recorded === undefined ? MARKS : RECORDED_MARKS) {
        await this.until(mark);
        if (samples.length === 0) await this.ask({ type: "measure" });
        samples.push(await this.sample());
      }
      return samples;
    };
    const [samples] = await Promise.all([reading(), kills]);
    return this.finish(samples);
  }

  /** Ends the pauses of a run that has failed. */
  end(): void {
    this.over.abort();
  }

  /** Waits until a part of the run is over. */
  private async until(mark: number): Promise<void> {
    const { minutes, recorded } = this.options;
    if (recorded === undefined) return this.pauseUntil(mark * minutes * MINUTE);
    let [count, since] = [-1, now()];
    for (;;) {
      const arrived = await this.arrived();
      if (arrived >= mark * recorded) return;
      if (arrived > count) [count, since] = [arrived, now()];
      // The opponent does not answer a message that is lost.
      if (now() - since > PATIENCE) throw new Error(`No message has arrived for ${PATIENCE / 1000} s.`);
      await pause(LOOK, undefined, { signal: this.over.signal });
    }
  }

  /** Kills one server after the other, at even distances. */
  private async kill(): Promise<void> {
    const { kills, minutes } = this.options;
    const targets = this.servers.flatMap(({ server, kind }) =>
      kind === "relay" || kind === "store" ? [{ server, kind }] : [],
    );
    for (let i = 0; i < kills; i++) {
      await this.pauseUntil(((i + 0.5) / kills) * minutes * MINUTE);
      const { server, kind } = targets[i % targets.length];
      await this.ask({ type: "killed", kind });
      this.killed.push(server.name);
      await server.kill();
    }
  }

  /** @param time Milliseconds since the run began. */
  private async pauseUntil(time: number): Promise<void> {
    await pause(Math.max(0, this.began + time - now()), undefined, { signal: this.over.signal });
  }

  private async finish(samples: readonly Sample[]): Promise<Figures> {
    const acknowledged = await this.ask<number[]>({ type: "leave" });
    const [first, second] = acknowledged;
    const players = await Promise.all(
      this.players.map((each, i) =>
        each.ask<PlayersFigures>({ type: "finish", acknowledged: i === 0 ? second : first }),
      ),
    );
    const stored = await storedFaults(this.setup, acknowledged);
    const [start, end] = [samples[0], samples.at(-1)!];
    const named = [
      ...this.servers.map(({ kind, server: { name } }) => ({ kind, name })),
      ...this.players.map((_, i) => ({ kind: "players" as const, name: `players ${i + 1}` })),
    ];
    return {
      messages: end.arrived - start.arrived,
      seconds: (end.time - start.time) / 1000,
      processes: named.map((each, i) => ({
        ...each,
        time: end.usages[i].time - start.usages[i].time,
        memory: samples.map(({ usages }) => usages[i].memory),
      })),
      players,
      arrived: sumOf(players.map(({ faults }) => faults)),
      stored,
      killed: this.killed,
    };
  }

  private async sample(): Promise<Sample> {
    const usages = await Promise.all(
      [...this.servers.map(({ server }) => server), ...this.players].map((each) => each.usage()),
    );
    return { arrived: await this.arrived(), time: now(), usages };
  }

  private async arrived(): Promise<number> {
    const counts = await this.ask<number>({ type: "count" });
    return counts.reduce((sum, count) => sum + count, 0);
  }

  /** Asks all processes of players. */
  private ask<T>(request: Request): Promise<T[]> {
    const answers = this.asking.then(() => Promise.all(this.players.map((each) => each.ask<T>(request))));
    this.asking = answers.catch(() => undefined);
    return answers;
  }
}
