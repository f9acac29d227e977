import { monitorEventLoopDelay } from "node:perf_hooks";
import { setTimeout as pause } from "node:timers/promises";
import { id } from "ethers";
import { SeededRandom } from "../../sdk/bots/seeded-random.js";
import { relayPlace } from "../../sdk/player/channels/meeting.js";
import type { ChannelsAt } from "../../sdk/protocol/channels/messages.js";
import type { ChannelPlayerNumber, MoveMessage } from "../../sdk/protocol/channels/wire.js";
import { Histogram, type Times } from "./histogram.js";
import { sumOf, type Faults } from "./ledger.js";
import { pairOf, timeOf } from "./pair.js";
import { LoadPlayer, now } from "./player.js";
import { record, type Recording } from "./recorded.js";

/** What the players of a process do. */
export interface Setup {
  at: ChannelsAt;
  /** URL of the relay, or of the balancer in front of the relays. */
  url: string;
  seed: string;
  pairs: number;
  /** Number of these players in their pairs. */
  player: ChannelPlayerNumber;
  /** Mean of the seconds that a player thinks. */
  think: number;
  /** Number of messages of each pair that are signed beforehand; undefined to sign each one when it is sent. */
  recorded?: number;
}

/** Request to a process of players. */
export type Request =
  /** Creates the channels. */
  | { type: "enter"; setup: Setup }
  | { type: "play" }
  /** Begins new figures. */
  | { type: "measure" }
  /** Says that a server is killed now. */
  | { type: "killed"; kind: Killed }
  /** Asks how many messages have arrived. */
  | { type: "count" }
  /** Stops to send. The answer has the number of acknowledged messages of each player. */
  | { type: "leave" }
  /** Waits for the messages that the opponents' process has acknowledged, and ends. */
  | { type: "finish"; acknowledged: readonly number[] };

/** Kind of a server that is killed. */
export type Killed = "relay" | "store";

/** Values for messages that were under way within `DISTURBED` after the kill of a server, and for all others. */
type ByKill<T> = Record<Killed | "calm", T>;

/** Figures of a process of players. */
export interface PlayersFigures {
  faults: Faults;
  /** From the signing of a message by a player to its check by the other. */
  latency: ByKill<Times>;
  /** Requests that failed and were repeated. */
  failures: number;
  /** Milliseconds by which the process's timers were late: all but 1 % of the times, and the maximum. */
  lag: { most: number; max: number };
}

/** Milliseconds after a kill for which latencies are counted separately. */
export const DISTURBED = 10_000;
/** Milliseconds for which acknowledged messages may be under way at the end. */
const PATIENCE = 60_000;
/** Milliseconds between two looks at what has arrived. */
const LOOK = 100;
/** Milliseconds between two timers that measure how late timers are. */
const RESOLUTION = 10;
const NANOSECONDS = 1e6;
/** Spread of the think time: standard deviation of its logarithm. */
const SPREAD = 1;
/** Number of different values of a random number. */
const VALUES = 2 ** 21;

/** Players of one process: one player of each pair. Their opponents are in another process, so each checks for real. */
export class Players {
  private readonly players: readonly LoadPlayer[];
  private readonly over = new AbortController();
  private readonly lag = monitorEventLoopDelay({ resolution: RESOLUTION });
  private playing: Promise<unknown> = Promise.resolve();
  private latency = newLatency();
  private failures = 0;
  private arrived = 0;
  /** The last kill. */
  private killed: { kind: Killed; time: number } = { kind: "relay", time: -Infinity };

  constructor(setup: Setup) {
    const { at, pairs, player, recorded, seed, think, url } = setup;
    const place = relayPlace([url], at);
    const recordings: Recording = recorded === undefined ? [] : record(setup.at, setup.pairs, setup.seed, recorded);
    this.players = Array.from({ length: pairs }, (_, i) => {
      const pair = pairOf(seed, i);
      return new LoadPlayer(pair, player, {
        ...{ at, place, recorded: recordings[i] },
        think: think === 0 ? () => 0 : thinker(think, `${pair.name} ${player}`),
        onArrival: (message) => this.onArrival(message),
        onFailure: () => this.failures++,
      });
    });
    this.lag.enable();
  }

  async enter(): Promise<void> {
    await Promise.all(this.players.map((player) => player.enter()));
  }

  play(): void {
    this.playing = Promise.all(this.players.map((player) => player.play(this.over.signal)));
  }

  measure(): void {
    this.latency = newLatency();
    this.failures = 0;
    this.lag.reset();
  }

  onKill(kind: Killed): void {
    this.killed = { kind, time: now() };
  }

  get count(): number {
    return this.arrived;
  }

  async leave(): Promise<number[]> {
    await Promise.all(this.players.map((player) => player.leave()));
    return this.players.map(({ acknowledged }) => acknowledged);
  }

  async finish(acknowledged: readonly number[]): Promise<PlayersFigures> {
    const faults = () => sumOf(this.players.map(({ arrived }, i) => arrived.faults(acknowledged[i])));
    const end = now() + PATIENCE;
    while (faults().lost > 0 && now() < end) await pause(LOOK);
    this.over.abort();
    await this.playing;
    const late = (nanoseconds: number) => Math.max(0, nanoseconds / NANOSECONDS - RESOLUTION);
    return {
      faults: faults(),
      latency: { relay: this.latency.relay.times, store: this.latency.store.times, calm: this.latency.calm.times },
      failures: this.failures,
      lag: { most: late(this.lag.percentile(99)), max: late(this.lag.max) },
    };
  }

  private onArrival(message: MoveMessage): void {
    const [time, began] = [now(), timeOf(message)];
    const { kind, time: killed } = this.killed;
    const isDisturbed = time >= killed && began < killed + DISTURBED;
    this.latency[isDisturbed ? kind : "calm"].add(time - began);
    this.arrived++;
  }
}

function newLatency(): ByKill<Histogram> {
  return { relay: new Histogram(), store: new Histogram(), calm: new Histogram() };
}

/** Returns a source of think times in milliseconds, which have a log-normal distribution. @param mean Their mean in seconds. */
function thinker(mean: number, seed: string): () => number {
  const random = new SeededRandom(id(seed));
  const uniform = () => (random.below(VALUES) + 0.5) / VALUES;
  const location = Math.log(1000 * mean) - SPREAD ** 2 / 2;
  // Two uniform numbers give a normal one (Box and Muller).
  return () => Math.exp(location + SPREAD * Math.sqrt(-2 * Math.log(uniform())) * Math.cos(2 * Math.PI * uniform()));
}
