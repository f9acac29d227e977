import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { request, type IncomingMessage, type OutgoingHttpHeaders } from "node:http";
import { connect, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { setTimeout as pause } from "node:timers/promises";
import { id, SigningKey, ZeroAddress } from "ethers";
import { folderStore } from "../../cli/relay/folder/store.js";
import { Relay, type RelayLimits, type RelayOptions } from "../../cli/relay/relay.js";
import type { KeyNews } from "../../cli/relay/key-news.js";
import type { OpenStore } from "../../cli/relay/store.js";
import { channelIdOf, NO_END, NO_PLACE, type Channel, type ChannelsAt } from "../../sdk/protocol/channels/messages.js";
import { signedSeek, type Seek } from "../../sdk/protocol/channels/seek.js";
import {
  plainText,
  signedWith,
  type BalanceMessage,
  type ChannelMessage,
  type ChannelPlayerNumber,
  type MoveMessage,
  type OfferMessage,
  type OpenMessage,
} from "../../sdk/protocol/channels/wire.js";
import type { Hex } from "../../sdk/protocol/hex.js";
import { versionLine } from "../../sdk/protocol/version.js";
import { COIN } from "../../sdk/protocol/terms.js";
import { FIRST, keyOf } from "./channels.js";

/** Start of a relay's clock, in milliseconds since 1970. */
export const BEGIN = 1.8e12;

/** Chain and contract for which the messages are signed. */
export const AT: ChannelsAt = { chainId: 31_337n, channels: keyOf("channels").address };

/** A request of a test to a relay. */
export interface Asked {
  method?: string;
  body?: string;
  headers?: OutgoingHttpHeaders;
  /** Address of this machine from which the request is sent; all of 127.0.0.0/8 work. */
  from?: string;
}

/** A stream that a test opens: where it starts, from which address, and with which headers. */
interface StreamOptions {
  seen?: number;
  from?: string;
  headers?: OutgoingHttpHeaders;
}

/** Event of a stream of news. */
export interface NewsEvent {
  seen: number;
  channel?: string;
  from?: number;
  messages?: object[];
}

/** Stream of news that a test reads. */
export class EventStream {
  /** Resolves with the first comment. */
  readonly opened: Promise<unknown>;
  private readonly parts: AsyncIterator<string>;

  constructor(readonly response: IncomingMessage) {
    response.on("error", () => undefined);
    this.parts = partsOf(response)[Symbol.asyncIterator]();
    this.opened = this.part();
  }

  /** Reads the next event; comments are skipped. Undefined once the stream has ended. */
  async next(): Promise<NewsEvent | undefined> {
    for (;;) {
      const part = await this.part();
      if (part === undefined) return undefined;
      if (part.startsWith("data:")) return JSON.parse(part.slice(5)) as NewsEvent;
    }
  }

  /** Reads the next event or comment. Undefined once the stream has ended. */
  async part(): Promise<string | undefined> {
    const { done, value } = await this.parts.next();
    return done ? undefined : value;
  }

  close(): void {
    this.response.destroy();
  }
}

/** Splits a stream at empty lines. */
async function* partsOf(response: IncomingMessage): AsyncGenerator<string> {
  let text = "";
  try {
    for await (const chunk of response.setEncoding("utf8") as AsyncIterable<string>) {
      const parts = (text + chunk).split("\n\n");
      text = parts.pop()!;
      yield* parts;
    }
  } catch {
    // The connection was closed.
  }
}

/** Two players of a channel that exists on no chain, who sign its messages. */
export class Correspondents {
  readonly channel: Channel;
  readonly id: Hex;

  /** @param tag Name from which the players' keys are derived. */
  constructor(private readonly tag: string) {
    const [player1, key1, player2, key2] = ["wallet 1", "key 1", "wallet 2", "key 2"].map(
      (name) => keyOf(`${tag} ${name}`).address,
    );
    this.channel = { player1, key1, player2, key2, token: COIN, feeBps: 2000n };
    this.id = channelIdOf(this.channel);
  }

  open(player: ChannelPlayerNumber, changes: Partial<OpenMessage> = {}): OpenMessage {
    const amounts = { amount1: 5n, amount2: 7n };
    const fields = { type: "open", channel: this.id, nonce: FIRST, ...amounts, until: NO_END, player } as const;
    return { ...signedWith<OpenMessage>(this.key(`wallet ${player}`), AT, { ...fields, ...changes }), ...changes };
  }

  offer(changes: Partial<OfferMessage> = {}): OfferMessage {
    const game = keyOf("game").address;
    const [stake1, stake2, clock, feeBps] = [0n, 0n, 3600n, 2000n];
    const terms = { game, stake1, token: COIN, stake2, mode: NO_PLACE, clock, feeBps, rated: false };
    const head = { type: "offer", channel: this.id, nonce: FIRST, terms, swapped: false, until: NO_END } as const;
    return signedWith<OfferMessage>(this.key("key 1"), AT, { ...head, position: id("1"), data: "0x01", ...changes });
  }

  /** Signs a move of player 2 if its number is odd, otherwise of player 1. */
  move(count: number, action: Hex = "0x01"): MoveMessage {
    const head = { type: "move", channel: this.id, nonce: FIRST, offer: id("offer"), prev: id("prev") } as const;
    const key = this.key(`key ${count % 2 === 1 ? 2 : 1}`);
    return signedWith<MoveMessage>(key, AT, { ...head, count, action, place: NO_PLACE });
  }

  balance(player: ChannelPlayerNumber, nonce = FIRST + 1): BalanceMessage {
    const amounts = { amount1: 5n, amount2: 7n, close: false, until: NO_END };
    const fields = { type: "balance", channel: this.id, nonce, ...amounts, player } as const;
    return signedWith<BalanceMessage>(this.key(`key ${player}`), AT, fields);
  }

  /** Signs a search of player 1 that is valid for a minute. */
  seek(changes: Partial<Seek> = {}): Seek {
    const { player1: player, key1: key, token, feeBps } = this.channel;
    const expires = BEGIN / 1000 + 60;
    const amounts = { amount: 5n, otherAmount: 7n, until: NO_END };
    const seek = { player, key, opponent: ZeroAddress, token, feeBps, ...amounts, expires, ...changes };
    return { ...signedSeek(this.key("key 1"), AT, seek), ...changes };
  }

  private key(name: string): SigningKey {
    return new SigningKey(keyOf(`${this.tag} ${name}`).privateKey);
  }
}

/** A relay in this process with its own archive, and clients at several addresses. */
export class RelayWorld {
  relay!: Relay;
  readonly troubles: string[] = [];
  /** Milliseconds on the relay's clock; undefined for real time since this was opened. */
  time?: number;
  private readonly opened = performance.now();
  private readonly sockets: Socket[] = [];

  private constructor(
    readonly folder: string,
    private readonly store: OpenStore,
  ) {}

  /** @param store Store of the relay; defaults to the folder. */
  static async open(
    limits: Partial<RelayLimits> = {},
    options: Partial<RelayOptions> = {},
    store?: OpenStore,
  ): Promise<RelayWorld> {
    const folder = await mkdtemp(join(tmpdir(), "duello-relay-"));
    const world = new RelayWorld(folder, store ?? folderStore(folder));
    await world.start(limits, options);
    return world;
  }

  async start(limits: Partial<RelayLimits> = {}, options: Partial<RelayOptions> = {}): Promise<void> {
    this.relay = await Relay.start({
      ...AT,
      store: this.store,
      port: 0,
      metrics: { port: 0, host: "127.0.0.1" },
      limits,
      now: () => BEGIN + (this.time ?? performance.now() - this.opened),
      onTrouble: (line) => this.troubles.push(line),
      ...options,
    });
  }

  async restart(limits: Partial<RelayLimits> = {}, options: Partial<RelayOptions> = {}): Promise<void> {
    await this.relay.stop();
    await this.start(limits, options);
  }

  async close(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    await this.relay.stop();
    for (const each of [this.folder, `${this.folder}.lock`]) await rm(each, { recursive: true, force: true });
  }

  /** Reads the relay's counts, by name and labels. */
  async counts(): Promise<Record<string, number>> {
    const text = await (await fetch(this.relay.metricsUrl)).text();
    const samples = text.matchAll(/^duello_relay_(\S+) (\d+)$/gm);
    return Object.fromEntries([...samples].map(([, name, value]) => [name, Number(value)]));
  }

  /** Waits until a count has a value. */
  async until(name: string, value: number): Promise<void> {
    while ((await this.counts())[name] !== value) await pause(5);
  }

  get port(): number {
    return Number(new URL(this.relay.url).port);
  }

  path(place: string): string {
    return `/${AT.chainId}/${AT.channels}/${place}`;
  }

  /** Returns the path of a stream with the news for player 2. The news starts now, or after `seen`. */
  newsPath({ channel }: Correspondents, seen?: number): string {
    const { news } = this.relay as unknown as { news: KeyNews };
    return this.path(`keys/${channel.key2}/${seen ?? news.end}`);
  }

  /** Opens a stream of news for player 2, and returns once the relay knows that it is open. */
  async stream(pair: Correspondents, { seen, from, headers = {} }: StreamOptions = {}): Promise<EventStream> {
    const options = { port: this.port, path: this.newsPath(pair, seen), headers, localAddress: from, agent: false };
    const sent = request(options).end();
    const [response] = (await once(sent, "response")) as [IncomingMessage];
    const stream = new EventStream(response);
    this.sockets.push(response.socket);
    await stream.opened;
    return stream;
  }

  /** Sends a request on a new connection. The status is 0 if the relay closes the connection. */
  async ask(path: string, { method = "GET", body = "", headers = {}, from }: Asked = {}) {
    const sent = request({
      port: this.port,
      path,
      method,
      headers: { "Content-Length": Buffer.byteLength(body), ...headers },
      localAddress: from,
      agent: false,
    });
    const answer = once(sent, "response");
    sent.end(body);
    try {
      const [response] = (await answer) as [IncomingMessage];
      return { status: response.statusCode!, text: await text(response), headers: response.headers };
    } catch {
      return { status: 0, text: "", headers: {} };
    }
  }

  /** Puts a message, with the fields of its channel. */
  async put({ channel, id: name }: Correspondents, message: ChannelMessage, asked: Asked = {}) {
    return this.ask(this.path(name), { ...asked, method: "PUT", body: plainText({ channel, message }) });
  }

  /** Restarts the relay with moves of a channel written directly into its archive. */
  async keep({ channel, id: name }: Correspondents, moves: readonly MoveMessage[], limits: Partial<RelayLimits> = {}) {
    await this.relay.stop();
    const lines = moves.map((move) => `{"by":${move.count % 2 === 1 ? 2 : 1},"message":${plainText(move)}}`);
    const whole = [versionLine("the archive of a relay"), plainText({ channel, from: 5 }), ...lines];
    await writeFile(join(this.folder, `${name}.jsonl`), `${whole.join("\n")}\n`);
    await this.start(limits);
  }

  /** Opens a connection, and sends some text. */
  async open(sent = "", from = "127.0.0.1"): Promise<Socket> {
    const socket = connect({ port: this.port, host: "127.0.0.1", localAddress: from });
    socket.on("error", () => undefined).resume();
    this.sockets.push(socket);
    await once(socket, "connect");
    if (sent !== "") socket.write(sent);
    return socket;
  }
}
