import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { BlockList } from "node:net";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { type JsonRpcProvider, SigningKey, Wallet, ZeroAddress } from "ethers";
import { folderStore } from "../cli/relay/folder/store.js";
import { Relay } from "../cli/relay/relay.js";
import { HOST } from "../cli/shared/server/port.js";
import { History } from "../sdk/chain/history.js";
import { stockGame } from "../sdk/games/index.js";
import { modeHash } from "../sdk/games/modes.js";
import { ChannelChain } from "../sdk/player/channels/chain.js";
import { RelayLobby } from "../sdk/player/channels/lobby.js";
import { MemoryChannelLog } from "../sdk/player/channels/log.js";
import { ChannelPlayer, offererOf } from "../sdk/player/channels/player.js";
import { relayPlace } from "../sdk/player/channels/meeting.js";
import { randomKey, secretStoreWith } from "../sdk/player/secrets.js";
import { channelIdOf, type Channel, type ChannelsAt } from "../sdk/protocol/channels/messages.js";
import { SEEK_SECONDS, signedSeek } from "../sdk/protocol/channels/seek.js";
import { DAY, type Terms } from "../sdk/protocol/terms.js";
import type { Addresses } from "../sdk/chain/addresses.js";
import { usageOf } from "./process-usage.js";
import { onTemporaryChain } from "./temporary-chain.js";

const GAME = stockGame("mini-games");
const MODE = "rock-paper-scissors";
/** Test account of the agent. */
export const AGENT = 10;
const CLOCK = 3600n;
/** House fee of a new deployment, in basis points. */
const FEE = 2000n;
/** Maximum number of channels that a policy allows. */
const MOST = 1_000;
/** Number of players in the small run, with which the large run is compared. */
const FEW = 10;
/** Milliseconds for which matches are counted, and within which all players must be seated. */
const MEASURED = 60_000;
const PATIENCE = 1_800_000;
/** Maximum number of players who search at once: relay and players share one process. */
const SEARCHING = 32;
/** Milliseconds between two checks of a player for an answer to its search. */
const LOOK = 2_000;
/** Milliseconds for which one request waits for messages. */
const WAIT = 20_000;

/** Proxy that the relay trusts. To the relay, each request of a player is from a new client, the agent's from HOST. */
const PROXIES = new BlockList();
PROXIES.addAddress(HOST);

/** Resources that an agent needs for a number of players. */
interface Measures {
  players: number;
  /** Seconds until all players are seated, and the agent's processor milliseconds per player. */
  seated: { seconds: number; cost: number };
  /** Matches per second with all players, and the agent's processor milliseconds per match. */
  rate: number;
  cost: number;
  /** Milliseconds that a player waits in a match for the agent's answer: median, and 99th percentile. */
  waits: { median: number; high: number };
  /** Megabytes by which the agent's memory grows while matches are counted, and its memory at the end. */
  growth: number;
  memory: number;
  transactions: number;
}

/**
 * Plays rock-paper-scissors in channels without money: many players against one agent, which runs in its own process.
 * @returns a line for each number of players, and the ratios.
 */
export async function* benchChannels(players: number): AsyncGenerator<string> {
  const few = await measure(Math.min(FEW, players));
  yield lineOf(few);
  const many = await measure(players);
  yield lineOf(many);
  const [cost, seated] = [many.cost / few.cost, many.seated.cost / few.seated.cost];
  yield `${players} players : ${few.players} = ${cost.toFixed(2)} : 1 in processor time a match, ${seated.toFixed(2)} : 1 to be seated`;
}

function lineOf({ players, seated, rate, cost, waits, growth, memory, transactions }: Measures): string {
  return [
    `Channels of an agent with ${players} players: seated in ${seated.seconds.toFixed(0)} s`,
    `${seated.cost.toFixed(0)} ms of processor each; ${rate.toFixed(1)} matches a second`,
    `${cost.toFixed(1)} ms of processor each; answers after ${waits.median.toFixed(0)} ms, 99 % within ${waits.high.toFixed(0)} ms`,
    `memory +${growth.toFixed(0)} to ${memory.toFixed(0)} MB`,
    `${transactions} transactions`,
  ].join(", ");
}

/** Plays for a while on a new chain, with a new relay. */
async function measure(players: number): Promise<Measures> {
  const stop = new AbortController();
  const { fetch } = globalThis;
  globalThis.fetch = (address, init) => {
    const headers = new Headers(init?.headers);
    headers.set("x-forwarded-for", `10.${randomBytes(3).join(".")}`);
    return fetch(address, { ...init, headers });
  };
  try {
    return await onTemporaryChain(async ({ folder, url, provider, addresses, at }) => {
      const own = new Set([HOST]);
      const relay = await Relay.start({
        ...at,
        store: folderStore(join(folder, "relay")),
        port: 0,
        proxies: PROXIES,
        own,
      });
      const policy = { channels: { most: Math.min(2 * players, MOST) } };
      const agent = await startAgent(folder, url, policy, ["--relay", relay.url]);
      try {
        const { address } = await provider.getSigner(AGENT);
        const world = { at, addresses, provider, relay: relay.url, agent: address, signal: stop.signal };
        return await measureAgent(agent.pid!, world, players);
      } finally {
        stop.abort();
        agent.kill();
        await once(agent, "close");
        await relay.stop();
      }
    });
  } finally {
    globalThis.fetch = fetch;
  }
}

async function measureAgent(pid: number, world: World, players: number): Promise<Measures> {
  const start = performance.now();
  const before = await usageOf(pid);
  const guests = Array.from({ length: players }, () => new Guest(world));
  const isSearching = ({ matches }: Guest) => matches === 0;
  const playAll = async () => {
    const playing: Promise<void>[] = [];
    for (const guest of guests) {
      while (guests.slice(0, playing.length).filter(isSearching).length >= SEARCHING)
        await Promise.race([pause(100), ...playing]);
      playing.push(guest.play());
    }
    await Promise.all(playing);
  };
  const failed = playAll();
  const until = async (isDone: () => boolean) => {
    while (!isDone() && performance.now() - start < PATIENCE) await Promise.race([pause(100), failed]);
    if (!isDone()) throw new Error(`Not all of ${players} players were seated in ${PATIENCE / 1000} s.`);
  };
  const played = () => guests.reduce((sum, { matches }) => sum + matches, 0);
  await until(() => !guests.some(isSearching));
  const [began, first, from] = [performance.now(), await usageOf(pid), played()];
  for (const { waits } of guests) waits.length = 0;
  await Promise.race([pause(MEASURED), failed]);
  const [seconds, last, matches] = [(performance.now() - began) / 1000, await usageOf(pid), played() - from];
  const waits = guests.flatMap((guest) => guest.waits).toSorted((a, b) => a - b);
  const within = (part: number) => waits[Math.min(Math.floor(waits.length * part), waits.length - 1)];
  return {
    players,
    waits: { median: within(0.5), high: within(0.99) },
    seated: { seconds: (began - start) / 1000, cost: (first.time - before.time) / players },
    rate: matches / seconds,
    cost: (last.time - first.time) / matches,
    growth: last.memory - first.memory,
    memory: last.memory,
    transactions: await world.provider.getTransactionCount(world.agent),
  };
}

/**
 * Starts an agent, and returns its process once it has printed its first line.
 * @param folder Folder for its files.
 * @param rpc URL of its node.
 */
export async function startAgent(folder: string, rpc: string, policy: object, more: readonly string[] = []) {
  const config = join(folder, "policy.json");
  await writeFile(config, JSON.stringify(policy));
  const args = ["--rpc", rpc, "--account", String(AGENT), "--config", config, "--json", ...more];
  const agent = spawn("sh", ["scripts/run.sh", "cli/agent/main.ts", ...args], {
    env: { ...process.env, DUELLO_HOME: join(folder, "agent") },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const closed = once(agent, "close").then(() => {
    throw new Error("The agent does not start.");
  });
  await Promise.race([once(agent.stdout, "data"), closed]);
  closed.catch(() => undefined);
  agent.stdout.resume();
  return agent;
}

/** Chain, relay and agent that the players use. */
interface World {
  at: ChannelsAt;
  addresses: Addresses;
  provider: JsonRpcProvider;
  relay: string;
  agent: string;
  signal: AbortSignal;
}

/** Player without money who plays against the agent until the signal aborts. */
class Guest {
  /** Number of matches that are over. */
  matches = 0;
  /** Milliseconds of each wait for the agent's answer in a match. */
  readonly waits: number[] = [];
  private readonly wallet = Wallet.createRandom();
  private readonly key = new SigningKey(randomKey());

  constructor(private readonly world: World) {}

  async play(): Promise<void> {
    const { signal } = this.world;
    try {
      await this.playIn(await this.channel());
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  }

  private get terms(): Terms {
    const game = this.world.addresses[GAME.contract];
    const mode = modeHash(GAME.modes[MODE].content);
    return { game, stake1: 0n, token: ZeroAddress, stake2: 0n, mode, clock: CLOCK, feeBps: FEE, rated: false };
  }

  /** Searches for the agent until it has answered. */
  private async channel(): Promise<Channel> {
    const { at, relay, agent, signal } = this.world;
    const lobby = new RelayLobby([relay], at);
    const key = new Wallet(this.key).address;
    for (let expires = 0; ;) {
      const now = Math.floor(Date.now() / 1000);
      if (expires - now < SEEK_SECONDS / 2) {
        expires = now + SEEK_SECONDS;
        const who = { player: this.wallet.address, key, opponent: agent, token: ZeroAddress, feeBps: FEE };
        const what = { amount: 0n, otherAmount: 0n, until: now + Number(DAY), terms: this.terms, expires };
        await lobby.put(signedSeek(this.key, at, { ...who, ...what }));
      }
      const [channel] = await lobby.channels(key);
      if (channel) return channel;
      await pause(LOOK, undefined, { signal });
    }
  }

  private async playIn(channel: Channel): Promise<void> {
    const { at, addresses, provider, relay, signal } = this.world;
    const { wallet } = this;
    const player = channel.player1 === wallet.address ? 1 : 2;
    const committer = { chainId: at.chainId, game: addresses[GAME.contract], player: wallet.address };
    const secrets = secretStoreWith(randomKey(), committer);
    const seat = await ChannelPlayer.open({
      ...{ at, channel, player, key: this.key, moduleAt: () => GAME },
      chain: new ChannelChain(provider, { arena: addresses.Arena, channels: at.channels }, channelIdOf(channel)),
      history: new History(provider, addresses),
      ports: {
        choose: async (turn) => ({ move: await GAME.moves.suggest(turn, secrets) }),
        secrets: () => secrets,
        ask: async () => true,
        signOpen: ({ domain, types, value }) => wallet.signTypedData(domain, types, value),
        log: new MemoryChannelLog(),
        transport: relayPlace([relay], at).transportOf(channel, player),
      },
    });
    let asked: { state: string; time: number } | undefined;
    for (let first: number | undefined; !signal.aborted;) {
      const { held, current, troubles } = await seat.step();
      for (const trouble of troubles) throw trouble;
      const state = current && !current.isFinal ? `${current.nonce} ${current.moves.length}` : "";
      if (asked && state !== asked.state) this.waits.push(performance.now() - asked.time);
      if (state === "") asked = undefined;
      else if (state !== asked?.state) asked = { state, time: performance.now() };
      if (held) {
        first ??= held.nonce;
        this.matches = held.nonce - first;
        if (!current && offererOf(held.nonce) === player) await seat.offer(this.terms);
      }
      await seat.news({ waitMs: WAIT, signal });
    }
  }
}
