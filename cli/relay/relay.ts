import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { BlockList } from "node:net";
import type { Duplex } from "node:stream";
import { address } from "../../sdk/protocol/address.js";
import { channelIdOf, type ChannelsAt } from "../../sdk/protocol/channels/messages.js";
import { MAX_SEEK_LENGTH, readSeek } from "../../sdk/protocol/channels/seek.js";
import { MAX_MESSAGE_LENGTH, plainText, readChannel, readChannelMessage } from "../../sdk/protocol/channels/wire.js";
import { isKind } from "../../sdk/protocol/error-kind.js";
import type { Hex } from "../../sdk/protocol/hex.js";
import { InputError, object, oneLine, optional, type Reader } from "../../sdk/protocol/input.js";
import { acquireLock } from "../shared/files/lock.js";
import { Busy } from "../shared/server/busy.js";
import { clientOf } from "../shared/server/client-address.js";
import { Connections, type ConnectionLimits } from "../shared/server/connections.js";
import { HOST, listenAt, urlOfServer, type Address } from "../shared/server/port.js";
import { Tally } from "../shared/server/tally.js";
import { Archive, type ArchiveLimits } from "./archive.js";
import { Budget, type Allowance } from "./budget.js";
import { Lobby, type LobbyLimits } from "./lobby.js";
import { Metrics } from "./metrics.js";
import { REASONS, Refusal } from "./refusal.js";
import { Waiters } from "./waiters.js";

/** Limits of a relay; each has a default. */
export interface RelayLimits extends ArchiveLimits, ConnectionLimits, LobbyLimits {
  /** Maximum number of requests that wait for messages, in total and per client; others are answered immediately. */
  waiting: number;
  clientWaiting: number;
  /** Requests of a client. A refused message counts as three; reading a channel from disk counts as one per 64 KB. */
  clientRequests: Allowance;
  /** Channels that a client adds. The first channel that answers a search counts for the searching client instead. */
  clientChannels: Allowance;
  /** Seconds for which a request waits for messages. */
  wait: number;
  /** Milliseconds for which a request waits for the allowance of its client. */
  patience: number;
  /** Milliseconds after which a connection without a request is closed. */
  idleTime: number;
  /** Milliseconds within which a request must be complete. */
  requestTime: number;
  /** Milliseconds within which an answer must be read. */
  answerTime: number;
}

/** Options of a relay. */
export interface RelayOptions extends ChannelsAt {
  /** Folder of the archive of this deployment. */
  folder: string;
  /** Port of the relay; 0 for any free one. */
  port: number;
  /** Address that the relay listens on; defaults to 127.0.0.1. */
  host?: string;
  /** Proxies whose `X-Forwarded-For` is trusted; defaults to none. */
  proxies?: BlockList;
  /** Clients that may send any number of requests and add any number of channels: the host's own programs. */
  own?: ReadonlySet<string>;
  /** Host and port that serve counts for monitoring; defaults to none. */
  metrics?: Address;
  limits?: Partial<RelayLimits>;
  /** Called with a line of text for each failure that is not the client's. */
  onTrouble?: (line: string) => void;
  /** Returns milliseconds since 1970. */
  now?: () => number;
}

/** Default limits of a relay. */
export const RELAY_LIMITS: RelayLimits = {
  channels: 20_000,
  bytes: 4 * 2 ** 30,
  channelBytes: 2 ** 20,
  seeks: 2_000,
  clientSeeks: 20,
  connections: 2_000,
  clientConnections: 200,
  waiting: 500,
  clientWaiting: 50,
  clientRequests: { burst: 500, perSecond: 50 },
  clientChannels: { burst: 100, perSecond: 100 / 3600 },
  wait: 30,
  idleTime: 5_000,
  requestTime: 10_000,
  answerTime: 30_000,
  patience: 1_000,
};

/** Cost of a rejected message in addition to its request, and bytes read from the disk that cost one request. */
const REFUSED_COST = 2;
const LOADED_BYTES = 64 * 1024;

/** Maximum bytes of messages in an answer, approximately. */
const PAGE_BYTES = 256 * 1024;

/** Maximum bytes of a body: a message or a search, with the fields of its channel. */
export const MAX_BODY_BYTES = MAX_MESSAGE_LENGTH + MAX_SEEK_LENGTH;

/** Milliseconds for which the result of a check of the disk is cached. */
const CHECK_LIFE = 5_000;

const HEADERS = {
  "Access-Control-Allow-Origin": "*",
  "Cache-Control": "no-store",
  "Content-Type": "application/json",
  "X-Content-Type-Options": "nosniff",
};
const DISK_FAILS = "the disk takes no messages";
const LATER = { "Retry-After": "1" };
const PREFLIGHT = {
  "Access-Control-Allow-Methods": "GET, PUT",
  "Access-Control-Allow-Headers": "content-type",
  "Access-Control-Max-Age": "86400",
};

/** Part of the relay that a path names. */
type Place =
  | { part: "lobby" }
  | { part: "keys"; key: string; seen?: number }
  | { part: "channel"; id: Hex; seen?: number };

const readBody = object({ channel: optional(readChannel, undefined), message: readChannelMessage });

/**
 * Passes messages of channels between their players, stores them, and lists searches for players. It accepts messages
 * that a player has signed, and shows them to everybody. It reads no chain, holds no secrets and decides nothing.
 */
export class Relay {
  private readonly archive: Archive;
  private readonly lobby: Lobby;
  private readonly limits: RelayLimits;
  private readonly waiters: Waiters;
  private readonly connections: Connections;
  private readonly proxies: BlockList;
  private readonly now: () => number;
  /** Requests of each client that are not answered yet. */
  private readonly running = new Tally();
  private readonly requests: Budget;
  private readonly channels: Budget;
  private readonly metrics = new Metrics();
  private readonly metricsServer = this.metrics.server(async () => ((await this.takesMessages()) ? [] : [DISK_FAILS]));
  private checked?: { time: number; works: Promise<boolean> };

  private constructor(
    private readonly server: Server,
    private readonly options: RelayOptions,
    private readonly unlock: () => void,
  ) {
    this.limits = { ...RELAY_LIMITS, ...options.limits };
    const { limits } = this;
    const { folder, now = () => performance.timeOrigin + performance.now(), proxies = new BlockList() } = options;
    this.now = now;
    const budgetOf = (allowance: Allowance) => new Budget(allowance, limits.patience, now, options.own);
    this.requests = budgetOf(limits.clientRequests);
    this.channels = budgetOf(limits.clientChannels);
    const onLoad = (client: string, bytes: number) => this.requests.charge(client, bytes / LOADED_BYTES);
    this.archive = new Archive(options, folder, limits, now, onLoad);
    this.lobby = new Lobby(options, limits, () => Math.floor(now() / 1000));
    this.waiters = new Waiters(limits.waiting, limits.clientWaiting);
    this.proxies = proxies;
    this.connections = new Connections(limits, proxies, () => this.metrics.closedConnection());
    this.measure();
    server.on("connection", (socket) => this.connections.add(socket));
    server.on("request", (request, response) => void this.answer(request, response));
    server.on("clientError", (error, socket) => this.answerNone(error, socket));
  }

  /**
   * Starts a relay.
   * @throws Error if the port is taken, or another relay stores its messages in the folder.
   */
  static async start(options: RelayOptions): Promise<Relay> {
    // Each of two relays would append to files without having read the lines of the other relay.
    const unlock = acquireLock(`${options.folder}.lock`, `A relay keeps its messages in ${options.folder}`);
    try {
      return await Relay.listening(options, unlock);
    } catch (error) {
      unlock();
      throw error;
    }
  }

  private static async listening(options: RelayOptions, unlock: () => void): Promise<Relay> {
    const { requestTime, idleTime } = { ...RELAY_LIMITS, ...options.limits };
    const { port, host = HOST, metrics } = options;
    const server = createServer({
      requestTimeout: requestTime,
      headersTimeout: requestTime,
      keepAliveTimeout: idleTime,
      connectionsCheckingInterval: Math.min(1000, requestTime),
      maxHeaderSize: 8192,
    });
    const relay = new Relay(server, options, unlock);
    await listenAt(server, { host, port }, (free) => `--port ${free}`);
    // Without a listener, an error ends the process, for example if no file descriptor is left for a connection.
    server.on("error", (error) => relay.tell(error));
    if (!metrics) return relay;
    try {
      await listenAt(relay.metricsServer, metrics, (free) => `--metrics ${metrics.host}:${free}`);
    } catch (error) {
      server.close();
      server.closeAllConnections();
      throw error;
    }
    relay.metricsServer.on("error", (error) => relay.tell(error));
    return relay;
  }

  /** Address of the relay. */
  get url(): string {
    return urlOfServer(this.server);
  }

  /** Address of the counts for monitoring. @throws Error if no counts are served */
  get metricsUrl(): string {
    return `${urlOfServer(this.metricsServer)}/metrics`;
  }

  /** Stops, even if clients keep connections open, and returns once all messages being written are on disk. */
  async stop(): Promise<void> {
    const servers = [this.server, this.metricsServer].filter(({ listening }) => listening);
    const closed = servers.map((server) => once(server, "close"));
    for (const server of servers) server.close();
    this.waiters.wakeAll();
    for (const server of servers) server.closeAllConnections();
    await Promise.all(closed);
    await this.archive.close();
    this.unlock();
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { socket } = request;
    const { remoteAddress: peer } = socket;
    // The answers to many parallel requests would fill the memory until the client reads them.
    if (peer === undefined || !this.connections.begin(socket)) return void socket.destroy();
    const client = clientOf(peer, String(request.headers["x-forwarded-for"] ?? ""), this.proxies);
    this.running.add(client);
    // A client that does not read is disconnected, so that nobody can hold all connections.
    const { answerTime, wait } = this.limits;
    const slow = setTimeout(() => socket.destroy(), answerTime + wait * 1000);
    response.once("close", () => {
      clearTimeout(slow);
      this.connections.end(socket);
      this.running.remove(client);
    });
    response.once("error", () => undefined);
    try {
      await this.admit(client);
      const { status, body, headers = {} } = await this.answerTo(request, response, client);
      response.writeHead(status, { ...HEADERS, ...headers }).end(body);
    } catch (error) {
      const { reason, status, message, headers } = this.refusalOf(error);
      this.metrics.refused(reason);
      if (request.method === "PUT" && status < 500 && status !== 429) this.requests.charge(client, REFUSED_COST);
      // The rest of an oversized body is not read.
      const closing = request.complete ? {} : { Connection: "close" };
      response.writeHead(status, { ...HEADERS, ...headers, ...closing });
      response.end(JSON.stringify({ error: oneLine(message) }));
    }
  }

  /** Waits until a client may send another request. @throws Refusal if it exceeds its limit */
  private async admit(client: string): Promise<void> {
    const { clientConnections } = this.limits;
    if (this.running.of(client) > clientConnections) {
      throw new Refusal("client-connections", `${client} has ${clientConnections} requests at once, the most`, LATER);
    }
    if (!(await this.requests.use(client, 1))) {
      throw new Refusal("client-requests", `${client} sends too many requests`, LATER);
    }
  }

  /** Answers data that is not a valid HTTP request. */
  private answerNone({ code }: NodeJS.ErrnoException, socket: Duplex): void {
    const reason =
      code === "HPE_HEADER_OVERFLOW" ? "headers" : code === "ERR_HTTP_REQUEST_TIMEOUT" ? "slow" : "malformed";
    this.metrics.refused(reason);
    if (socket.writable) socket.write(`HTTP/1.1 ${REASONS[reason]} Refused\r\nConnection: close\r\n\r\n`);
    socket.destroy();
  }

  private refusalOf(error: unknown): Refusal {
    if (error instanceof Refusal) return error;
    if (error instanceof Busy) return new Refusal(error.reason, error.message, LATER);
    if (isKind(error, InputError)) return new Refusal("invalid", error.message);
    this.tell(error);
    return new Refusal("failed", "the relay has failed");
  }

  /** Reports a failure that no client caused. */
  private tell(error: unknown): void {
    this.options.onTrouble?.(oneLine(String(error instanceof Error ? error.message : error)));
  }

  private async answerTo(
    request: IncomingMessage,
    response: ServerResponse,
    client: string,
  ): Promise<{ status: number; body: string; headers?: Record<string, string> }> {
    const { method, url = "/" } = request;
    const [path, query = ""] = url.split("?", 2);
    if (method === "OPTIONS") return { status: 204, body: "", headers: PREFLIGHT };
    if (path === "/" && method === "GET") return { status: 200, body: JSON.stringify(await this.info()) };
    const place = this.placeOf(path);
    if (method === "GET") return { status: 200, body: await this.read(place, query, response, client) };
    if (method === "PUT") return { status: (await this.put(place, request, client)) ? 201 : 200, body: "{}" };
    throw new Refusal("method", `${method} is not allowed`, { Allow: "GET, PUT" });
  }

  /** @throws Refusal while the relay cannot store messages */
  private async info(): Promise<object> {
    const { chainId, channels } = this.options;
    if (!(await this.takesMessages())) throw new Refusal("disk", DISK_FAILS);
    return { type: "duello relay", chainId: Number(chainId), channels };
  }

  /** Checks whether the disk stores messages; caches the result. */
  private async takesMessages(): Promise<boolean> {
    const time = this.now();
    if (!this.checked || time - this.checked.time > CHECK_LIFE) {
      const failed = (error: unknown) => (this.tell(error), false);
      this.checked = { time, works: this.archive.probe().then(() => true, failed) };
    }
    return this.checked.works;
  }

  /** @throws Refusal for a path of another deployment, or an unknown path */
  private placeOf(path: string): Place {
    const { chainId, channels } = this.options;
    const [, chain, contract = "", name = "", ...rest] = path.split("/");
    if (chain !== String(chainId) || contract.toLowerCase() !== channels.toLowerCase()) {
      throw new Refusal("not-found", `this relay is of the channels ${channels} of chain ${chainId}`);
    }
    if (name === "lobby" && rest.length === 0) return { part: "lobby" };
    const [key, ...after] = name === "keys" ? rest : [undefined, ...rest];
    const [seen = ""] = after;
    if (after.length < 2 && /^\d{0,16}$/.test(seen)) {
      const place = seen === "" ? {} : { seen: Number(seen) };
      if (key !== undefined) return { part: "keys", key: address(key, "key"), ...place };
      if (/^0x[0-9a-f]{64}$/.test(name)) return { part: "channel", id: name, ...place };
    }
    throw new Refusal("not-found", "there is no such place");
  }

  private async read(place: Place, query: string, response: ServerResponse, client: string): Promise<string> {
    const { wait = "0", player } = Object.fromEntries(new URLSearchParams(query));
    if (place.part === "lobby") return plainText({ seeks: this.lobby.for(address(player, "player")) });
    if (place.part === "channel") return this.messages(place.id, place.seen ?? 0, client);
    if (place.seen === undefined) return plainText({ channels: this.archive.keys.of(place.key) });
    if (!/^\d{1,4}$/.test(wait)) throw new InputError("wait", `${wait} is not a number of seconds`);
    return this.news(place.key, place.seen, Math.min(Number(wait), this.limits.wait), response, client);
  }

  /** Returns channels of a key with messages after a place; if there are none, waits some seconds for a message. */
  private async news(key: string, seen: number, wait: number, response: ServerResponse, client: string) {
    const read = () => this.archive.news.after(key, seen);
    const first = read();
    if (wait === 0 || first.seen !== seen) return JSON.stringify(first);
    await this.waiters.wait(key, client, wait, response);
    return JSON.stringify(read());
  }

  /** Returns messages of a channel, starting at a place. */
  private async messages(id: Hex, seen: number, client: string) {
    const { lines, from } = await this.archive.after(id, seen, client);
    const page: string[] = [];
    for (let bytes = 0; page.length < lines.length;) {
      const line = lines[page.length];
      bytes += line.length;
      if (page.length > 0 && bytes > PAGE_BYTES) break;
      page.push(line);
    }
    return `{"messages":[${page.join(",")}],"seen":${from + page.length},"more":${page.length < lines.length}}`;
  }

  /** Stores a message or a search. @returns false if the message was already stored */
  private async put(place: Place, request: IncomingMessage, client: string): Promise<boolean> {
    const body = await bodyOf(request);
    if (place.part === "lobby") {
      if (body.length > MAX_SEEK_LENGTH) throw new InputError("seek", `more than ${MAX_SEEK_LENGTH} characters`);
      this.lobby.put(parsed(body, readSeek, "seek"), client);
      return true;
    }
    if (place.part === "keys" || place.seen !== undefined) {
      throw new Refusal("method", "PUT is not allowed here", { Allow: "GET" });
    }
    const { id } = place;
    const { channel, message } = parsed(body, readBody, "");
    if (message.channel !== id) throw new InputError("message.channel", `${message.channel} instead of ${id}`);
    if (channel && channelIdOf(channel) !== id)
      throw new InputError("channel", `its id is ${channelIdOf(channel)}, not ${id}`);
    const admit = async () => {
      const searcher = channel && this.lobby.answer(channel);
      const isPaid = searcher !== undefined && (await this.channels.use(searcher, 1));
      if (!isPaid && !(await this.channels.use(client, 1))) {
        throw new Refusal("client-channels", `${client} has added too many channels`, LATER);
      }
    };
    const keys = await this.archive.add(id, client, message, { channel, admit });
    this.metrics.message(message, keys !== undefined);
    for (const key of keys ?? []) this.waiters.wake(key);
    return keys !== undefined;
  }

  /** Adds counts that are read on each request. */
  private measure(): void {
    const { metrics, archive, waiters, connections, lobby } = this;
    metrics.gauge("waiting", "Requests that wait.", "for", async () => ({ messages: waiters.count }));
    metrics.gauge("open", "What is open at once.", "what", async () => ({
      connections: connections.count,
      requests: this.running.total,
    }));
    metrics.gauge("kept", "What is on the disk, and in the lobby.", "what", async () => ({
      channels: archive.state.channels,
      bytes: archive.state.bytes,
      seeks: lobby.count,
    }));
    metrics.gauge("works", "1 for a part that works, 0 for one that does not.", "part", async () => ({
      disk: (await this.takesMessages()) ? 1 : 0,
    }));
  }
}

/** Parses and reads the body of a request. @param path Name of the body in errors. @throws InputError */
function parsed<T>(body: string, reader: Reader<T>, path: string): T {
  let value: unknown;
  try {
    value = JSON.parse(body);
  } catch {
    throw new InputError(path || "body", "not JSON");
  }
  return reader(value, path);
}

/** Reads the body of a request. @throws Refusal if it is too long, or incomplete. */
async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of request as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > MAX_BODY_BYTES) throw new Refusal("too-long", `a body has ${MAX_BODY_BYTES} bytes at most`);
      chunks.push(chunk);
    }
  } catch (error) {
    throw error instanceof Refusal ? error : new Refusal("malformed", "the message breaks off");
  }
  return Buffer.concat(chunks).toString("utf8");
}
