import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { computeAddress, hexlify, id, randomBytes, SigningKey, Wallet, ZeroAddress } from "ethers";
import { freePort } from "../cli/shared/server/port.js";
import { randomKey } from "../sdk/player/secrets.js";
import { channelIdOf, moveHashOf, type Channel, type ChannelsAt } from "../sdk/protocol/channels/messages.js";
import { plainText, signedWith, type MoveMessage } from "../sdk/protocol/channels/wire.js";
import type { Hex } from "../sdk/protocol/hex.js";
import { urlOf } from "./local-chain.js";
import { usageOf } from "./process-usage.js";
import { onTemporaryChain } from "./temporary-chain.js";

/** Number of channels whose players write at the same time. */
const CHANNELS = 16;
/** Number of recoveries with which a message is compared. */
const RECOVERIES = 300;
/** Bytes of an action and number of a first match, as in most games. */
const ACTION_BYTES = 65;
const FIRST = 2 ** 14;

/** Two players who write in turn; each waits for the other's message and reads it. */
interface Pair {
  channel: Channel;
  id: Hex;
  /** Bodies of the requests that send the messages. */
  bodies: readonly string[];
}

/**
 * Measures a relay, which is a process of its own, with messages that the other player waits for and reads.
 * @returns lines with the processor time of a message, and its ratio to a recovery of a signer by ethers
 */
export async function benchRelay(messages: number): Promise<string[]> {
  return onTemporaryChain(async ({ folder, url, at }) => {
    // A third of the messages only warms up the relay.
    const count = Math.ceil(messages / CHANNELS);
    const pairs = Array.from({ length: CHANNELS }, () => pairAt(at, Math.ceil(1.5 * count)));
    const cost = await measure(folder, url, at, pairs, count);
    const recovery = recoveryTime();
    return [
      `Relay, ${count * CHANNELS} messages that are sent, waited for and read: ${cost.toFixed(2)} ms of processor time each`,
      `message : recovery by ethers = ${(cost / recovery).toFixed(2)} : 1`,
    ];
  });
}

/** Returns the processor milliseconds of a relay for each of the last `count` messages of the pairs. */
async function measure(folder: string, rpc: string, at: ChannelsAt, pairs: readonly Pair[], count: number) {
  const free = await freePort();
  const args = ["--rpc", rpc, "--port", String(free), "--own", "127.0.0.1", "--data", join(folder, "relay")];
  const relay = spawn("sh", ["scripts/run.sh", "cli/relay/main.ts", ...args], {
    env: { ...process.env, DUELLO_HOME: join(folder, "home") },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const closed = once(relay, "close").then(() => {
    throw new Error("The relay does not start.");
  });
  closed.catch(() => undefined);
  try {
    await Promise.race([once(relay.stdout, "data"), closed]);
    const url = `${urlOf(free)}/${at.chainId}/${at.channels}`;
    const readers = pairs.map((pair) => new Readers(pair, url));
    await Promise.all(readers.map((each) => each.play(pairs[0].bodies.length - count)));
    const before = await usageOf(relay.pid!);
    await Promise.all(readers.map((each) => each.play(count)));
    const after = await usageOf(relay.pid!);
    return (after.time - before.time) / (count * pairs.length);
  } finally {
    relay.kill();
    await closed.catch(() => undefined);
  }
}

function pairAt(at: ChannelsAt, count: number): Pair {
  const keys = [new SigningKey(randomKey()), new SigningKey(randomKey())];
  const [key1, key2] = keys.map((key) => computeAddress(key));
  const [player1, player2] = [Wallet.createRandom().address, Wallet.createRandom().address];
  const channel: Channel = { player1, key1, player2, key2, token: ZeroAddress, feeBps: 0n };
  const channelId = channelIdOf(channel);
  const offer = id("offer");
  let prev: Hex = offer;
  const bodies = Array.from({ length: count }, (_, i) => {
    const move = { offer, count: i + 1, prev, action: hexlify(randomBytes(ACTION_BYTES)), place: id(String(i)) };
    prev = moveHashOf(move);
    const message = { ...move, type: "move", channel: channelId, nonce: FIRST } as const;
    return plainText({ channel, message: signedWith<MoveMessage>(keys[i % 2], at, message) });
  });
  return { channel, id: channelId, bodies };
}

/** Players of a pair, who write, wait and read by HTTP. */
class Readers {
  private sent = 0;
  /** Places after the last message that was read, in the channel and for each key. */
  private seen = 0;
  private readonly news = [0, 0];

  constructor(
    private readonly pair: Pair,
    private readonly url: string,
  ) {}

  /** Sends the next messages. */
  async play(count: number): Promise<void> {
    const { id: channel, bodies } = this.pair;
    for (const body of bodies.slice(this.sent, this.sent + count)) {
      const news = this.wait(1 - (this.sent++ % 2));
      await this.ask("PUT", channel, body);
      await news;
      this.seen = (await this.ask("GET", `${channel}/${this.seen}`)).seen;
    }
  }

  /** Waits for news of a player. The first answer only gives the player a place. */
  private async wait(player: number): Promise<void> {
    const { key1, key2 } = this.pair.channel;
    const key = player === 0 ? key1 : key2;
    // The relay has no news for a key until it has signed something.
    const seconds = this.sent > 2 ? "30" : "0";
    this.news[player] = (await this.ask("GET", `keys/${key}/${this.news[player]}?wait=${seconds}`)).seen;
  }

  private async ask(method: string, path: string, body?: string): Promise<{ seen: number }> {
    const response = await fetch(`${this.url}/${path}`, { method, body });
    if (!response.ok) throw new Error(await response.text());
    return (await response.json()) as { seen: number };
  }
}

/** Returns the processor milliseconds in which ethers recovers the signer of a digest. */
function recoveryTime(): number {
  const digest = id("digest");
  const signature = new SigningKey(randomKey()).sign(digest);
  const recover = () => {
    const before = process.cpuUsage();
    for (let i = 0; i < RECOVERIES; i++) SigningKey.recoverPublicKey(digest, signature);
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000 / RECOVERIES;
  };
  recover();
  return recover();
}
