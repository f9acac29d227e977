import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { BlockList } from "node:net";
import { MaxUint256 } from "ethers";
import type { Duplex } from "node:stream";
import { unlessAborted } from "../../sdk/chain/waiting.js";
import {
  MAX_MESSAGE_BYTES,
  messageText,
  parseMessage,
  type AwayMessage,
  type AwayMove,
} from "../../sdk/protocol/away/messages.js";
import { firstTable, tableHash } from "../../sdk/protocol/away/table.js";
import { checkMove, checkNote } from "../../sdk/protocol/away/transcript.js";
import { isKind } from "../../sdk/protocol/error-kind.js";
import { InputError, oneLine } from "../../sdk/protocol/input.js";
import { Seat, Status } from "../../sdk/protocol/status.js";
import { acquireLock } from "../shared/files/lock.js";
import { HOST, listenAt, urlOfServer, type Address } from "../shared/server/port.js";
import { Budget, type Allowance } from "./budget.js";
import { Busy } from "../shared/server/busy.js";
import { clientOf } from "../shared/server/client-address.js";
import { Connections, type ConnectionLimits } from "../shared/server/connections.js";
import { FactsCache, type FactsLimits, type RelayedMatch } from "./facts-cache.js";
import { Health, type Part } from "./health.js";
import { MatchArchive, NoPlace, type ArchiveLimits, type Held } from "./match-archive.js";
import { Metrics } from "./metrics.js";
import { REASONS, Refusal } from "./refusal.js";
import { Tally } from "../shared/server/tally.js";
import { Waiters } from "./waiters.js";

/** Problems of the parts without which a relay accepts no messages, a sentence each. */
const PROBLEMS: Readonly<Record<Part, string>> = {
  disk: "the disk takes no messages",
  node: "the chain does not answer the relay",
};

/** Limits of a relay; each has a default. */
export interface RelayLimits extends ArchiveLimits, ConnectionLimits, FactsLimits {
  /** Maximum number of requests that wait for messages, in total and per client; further ones are answered at once. */
  waiting: number;
  clientWaiting: number;
  /** Requests of a client. A message that is refused counts as three, and reading a match from the disk as one for 64 KB. */
  clientRequests: Allowance;
  /** Bytes of messages that a client adds. */
  clientBytes: Allowance;
  /** Seconds for which a request waits. */
  wait: number;
  /** Milliseconds after which a connection without a request is closed. */
  idleTime: number;
  /** Milliseconds within which a request must be complete. */
  requestTime: number;
  /** Milliseconds within which an answer must be read. */
  answerTime: number;
}

/** Options of a relay. */
export interface RelayOptions {
  chainId: bigint;
  /** Address of the arena. */
  arena: string;
  /** Folder of the archive of this deployment. */
  folder: string;
  /** Port of the relay; 0 for any free one. */
  port: number;
  /** Address that it listens on; defaults to 127.0.0.1. */
  host?: string;
  /** Proxies whose `X-Forwarded-For` is believed; defaults to none. */
  proxies?: BlockList;
  /** Host and port that serve counts for monitoring; defaults to none. */
  metrics?: Address;
  /** Reads a match from the chain; undefined for one that nobody has joined. */
  readMatch(matchId: bigint): Promise<RelayedMatch | undefined>;
  limits?: Partial<RelayLimits>;
  /** Called with a line of text for each failure that is not the client's. */
  onTrouble?: (line: string) => void;
  /** Returns milliseconds since some moment. */
  now?: () => number;
}

/** Default limits of a relay. */
export const RELAY_LIMITS: RelayLimits = {
  matches: 10_000,
  bytes: 4 * 2 ** 30,
  connections: 2_000,
  clientConnections: 200,
  waiting: 500,
  clientWaiting: 50,
  clientRequests: { burst: 500, perSecond: 50 },
  clientBytes: { burst: 64 * 2 ** 20, perSecond: (64 * 2 ** 20) / 3600 },
  wait: 30,
  idleTime: 5_000,
  requestTime: 10_000,
  answerTime: 30_000,
  reads: 8,
  readTime: 5_000,
  patience: 1_000,
};

/** Cost of a rejected message on top of its request, and bytes per request of reading from the disk. */
const REFUSED_COST = 2;
const LOADED_BYTES = 64 * 1024;

/** Maximum bytes of messages in an answer, approximately. */
const PAGE_BYTES = 256 * 1024;

const HEADERS = {
  "Access-Control-Allow-Origin": "*",
  "Cache-Control": "no-store",
  "Content-Type": "application/json",
  "X-Content-Type-Options": "nosniff",
};
const LATER = { "Retry-After": "1" };
const PREFLIGHT = {
  "Access-Control-Allow-Methods": "GET, PUT",
  "Access-Control-Allow-Headers": "content-type",
  "Access-Control-Max-Age": "86400",
};

/** Request for a match, as its path names it. */
interface Place {
  matchId: bigint;
  /** Second part of the path: a number, or `notes`. */
  rest: string;
}

/**
 * Passes messages of matches between their players, and stores them. It accepts what a player of a match has signed,
 * and shows it to everybody; it holds no secrets and decides nothing.
 */
export class Relay {
  private readonly archive: MatchArchive;
  private readonly limits: RelayLimits;
  private readonly facts: FactsCache;
  private readonly waiters: Waiters;
  private readonly health: Health;
  private readonly connections: Connections;
  private readonly proxies: BlockList;
  /** Requests of each client that are not answered yet. */
  private readonly running = new Tally();
  private readonly requests: Budget;
  private readonly bytes: Budget;
  private readonly metrics = new Metrics();
  private readonly metricsServer = this.metrics.server(() => this.problems());
  /** Aborts the checks of messages that are not being written yet. */
  private readonly stopping = new AbortController();

  private constructor(
    private readonly server: Server,
    private readonly options: RelayOptions,
    private readonly unlock: () => void,
  ) {
    this.limits = { ...RELAY_LIMITS, ...options.limits };
    const { limits } = this;
    const { folder, readMatch, now = () => performance.now(), proxies = new BlockList() } = options;
    this.requests = new Budget(limits.clientRequests, limits.patience, now);
    this.bytes = new Budget(limits.clientBytes, limits.patience, now);
    const onLoad = (client: string, bytes: number) => this.requests.charge(client, bytes / LOADED_BYTES);
    this.archive = new MatchArchive(folder, limits, onLoad);
    this.waiters = new Waiters(limits.waiting, limits.clientWaiting);
    const hasMessages = (matchId: bigint) => this.archive.has(matchId);
    const onTrouble = (error: unknown) => this.tell(error);
    this.facts = new FactsCache({ readMatch, hasMessages, onTrouble, now }, limits);
    // Answering for an impossible match needs the arena at the node.
    const checks = { node: () => this.facts.readMatch(MaxUint256), disk: () => this.archive.probe() };
    this.health = new Health(checks, onTrouble, now);
    this.proxies = proxies;
    this.connections = new Connections(limits, proxies, () => this.metrics.closedConnection());
    this.measure();
    server.on("connection", (socket) => this.connections.add(socket));
    server.on("request", (request, response) => void this.answer(request, response));
    server.on("clientError", (error, socket) => this.answerNone(error, socket));
  }

  /**
   * Starts a relay.
   * @throws Error if the port is taken, or another relay keeps its messages in the folder.
   */
  static async start(options: RelayOptions): Promise<Relay> {
    // Two relays would append to files without having read the other's lines.
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
    // Without a listener an error ends the process, for example if no file descriptor is left for a connection.
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

  /** Address of the counts for monitoring. @throws Error if none are served */
  get metricsUrl(): string {
    return `${urlOfServer(this.metricsServer)}/metrics`;
  }

  /** Stops, even if clients keep connections open, and returns once all messages being written are on the disk. */
  async stop(): Promise<void> {
    const servers = [this.server, this.metricsServer].filter(({ listening }) => listening);
    const closed = servers.map((server) => once(server, "close"));
    for (const server of servers) server.close();
    this.stopping.abort(new Busy("stopping", "the relay stops"));
    this.waiters.wakeAll();
    for (const server of servers) server.closeAllConnections();
    await Promise.all(closed);
    await this.archive.idle();
    this.unlock();
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { socket } = request;
    const { remoteAddress: peer } = socket;
    // Answers to many requests at once would be held in memory until the client reads them.
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

  /** Answers data that is not an HTTP request. */
  private answerNone({ code }: NodeJS.ErrnoException, socket: Duplex): void {
    const reason =
      code === "HPE_HEADER_OVERFLOW" ? "headers" : code === "ERR_HTTP_REQUEST_TIMEOUT" ? "slow" : "malformed";
    this.metrics.refused(reason);
    if (socket.writable) socket.write(`HTTP/1.1 ${REASONS[reason]} Refused\r\nConnection: close\r\n\r\n`);
    socket.destroy();
  }

  private refusalOf(error: unknown): Refusal {
    if (error instanceof Refusal) return error;
    if (error instanceof NoPlace) return new Refusal(error.kind, error.message);
    if (error instanceof Busy) return new Refusal(error.reason, error.message, LATER);
    if (isKind(error, InputError)) return new Refusal("invalid", error.message);
    this.tell(error);
    return new Refusal("failed", "the relay has failed");
  }

  /** Describes a failure that no client caused. */
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
    if (method === "GET") return { status: 200, body: await this.messages(place, query, response, client) };
    if (method === "PUT") return { status: (await this.put(place, request, client)) ? 201 : 200, body: "{}" };
    throw new Refusal("method", `${method} is not allowed`, { Allow: "GET, PUT" });
  }

  private async problems(): Promise<string[]> {
    return (await this.health.failed()).map((part) => PROBLEMS[part]);
  }

  /** @throws Refusal while no message can be taken. */
  private async info(): Promise<object> {
    const { chainId, arena } = this.options;
    const [failed] = await this.health.failed();
    if (failed !== undefined) throw new Refusal(failed, PROBLEMS[failed]);
    return { type: "duello relay", chainId: Number(chainId), arena };
  }

  /** @throws Refusal for a path that is not a match of this deployment or a place in it. */
  private placeOf(path: string): Place {
    const { chainId, arena } = this.options;
    const [, chain, address = "", match = "", rest = "0", more] = path.split("/");
    const isHere = chain === String(chainId) && address.toLowerCase() === arena.toLowerCase();
    if (!isHere) throw new Refusal("not-found", `this relay is of the arena ${arena} of chain ${chainId}`);
    const isPlace = /^[1-9]\d{0,77}$/.test(match) && /^(\d{1,10}|notes)$/.test(rest) && more === undefined;
    if (!isPlace) throw new Refusal("not-found", "there is no such place");
    return { matchId: BigInt(match), rest };
  }

  /** Returns messages of a match from a position on; waits for the first one, for the seconds in the query. */
  private async messages(
    { matchId, rest }: Place,
    query: string,
    response: ServerResponse,
    client: string,
  ): Promise<string> {
    if (rest === "notes") throw new Refusal("method", "notes are read with all messages", { Allow: "PUT" });
    const from = Number(rest);
    const { wait, digest } = queryOf(query, this.limits.wait);
    // A reader that has seen more messages than there are, or others, starts again: the archive was lost.
    const isLost = ({ lines, digests }: Held) =>
      from > lines.length || (digest !== undefined && digest !== digests[from]);
    const isNews = (held: Held) => from < held.lines.length || isLost(held);
    const read = () => this.archive.read(matchId, client);
    if (wait > 0) await this.waiters.wait(matchId, client, wait, response, () => read().then(isNews));
    const held = await read();
    const { lines, digests } = held;
    if (isLost(held)) return `{"messages":[],"seen":0,"digest":"${digests[0]}"}`;
    const page: string[] = [];
    for (let i = from, bytes = 0; i < lines.length; i++) {
      bytes += lines[i].length;
      if (page.length > 0 && bytes > PAGE_BYTES) break;
      page.push(lines[i]);
    }
    const seen = from + page.length;
    return `{"messages":[${page.join(",")}],"seen":${seen},"digest":"${digests[seen]}"}`;
  }

  /** Takes a message. @returns false if it was there before. */
  private async put({ matchId, rest }: Place, request: IncomingMessage, client: string): Promise<boolean> {
    const message = parseMessage(await bodyOf(request), "message");
    const place = message.type === "move" ? String(message.nonce) : "notes";
    if (rest !== place) throw new InputError("message", `its place is ${place}, not ${rest}`);
    const { signal } = this.stopping;
    const isNew = await this.archive.add(matchId, client, message, async (last) => {
      if (!(await this.bytes.use(client, 0))) throw new Refusal("client-bytes", `${client} has added too much`, LATER);
      await unlessAborted(
        this.facts.check(matchId, client, (facts) => checkMessage(matchId, facts, last, message)),
        signal,
      );
    });
    this.metrics.message(message, isNew);
    if (!isNew) return false;
    this.bytes.charge(client, messageText(message).length);
    this.waiters.wake(matchId);
    return true;
  }

  /** Adds counts that are read on each request. */
  private measure(): void {
    const { metrics, archive, facts, waiters, connections, health } = this;
    metrics.gauge("waiting", "Requests that wait for messages, or for their turn.", "for", async () => ({
      messages: waiters.count,
      "known-match": facts.waiting.known,
      "unknown-match": facts.waiting.unknown,
      disk: archive.state.waiting,
    }));
    metrics.gauge("open", "What is open at once.", "what", async () => ({
      connections: connections.count,
      requests: this.running.total,
    }));
    metrics.gauge("kept", "What is on the disk.", "what", async () => ({
      matches: archive.state.matches,
      bytes: archive.state.bytes,
    }));
    metrics.gauge("works", "1 for a part that works, 0 for one that does not.", "part", async () => {
      const failed = await health.failed();
      return { node: failed.includes("node") ? 0 : 1, disk: failed.includes("disk") ? 0 : 1 };
    });
  }
}

/**
 * @throws Refusal for a match that is not in play, InputError for a message that no player of it has signed, or that does
 * not follow the last move.
 */
function checkMessage(
  matchId: bigint,
  facts: RelayedMatch | undefined,
  last: AwayMove | undefined,
  message: AwayMessage,
): void {
  if (!facts) throw new Refusal("not-in-play", `match ${matchId} is not in play`);
  if (facts.status !== Status.AllJoined) throw new Refusal("over", `match ${matchId} is over`);
  if (message.type !== "move") return checkNote(facts, message, "message");
  checkMove(facts, last, message, "message");
  if (last || facts.turn !== Seat.Either || facts.position === undefined) return;
  // A player whose turn it is not must not add the first message with a base of its own.
  if (tableHash(firstTable(message.base, message.seat)) === facts.position) return;
  throw new InputError("message.base", "the match did not begin so");
}

/** Reads the query of a request for messages. @param most Most seconds for which it waits. */
function queryOf(query: string, most: number): { wait: number; digest?: string } {
  const written = new URLSearchParams(query);
  const wait = written.get("wait") ?? "0";
  if (!/^\d{1,4}$/.test(wait)) throw new InputError("wait", `${wait} is not a number of seconds`);
  return { wait: Math.min(Number(wait), most), digest: written.get("digest") ?? undefined };
}

/** Reads the body of a request. @throws Refusal if it is too long, or breaks off. */
async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of request as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > MAX_MESSAGE_BYTES) throw new Refusal("too-long", `a message has ${MAX_MESSAGE_BYTES} bytes at most`);
      chunks.push(chunk);
    }
  } catch (error) {
    throw error instanceof Refusal ? error : new Refusal("malformed", "the message breaks off");
  }
  return Buffer.concat(chunks).toString("utf8");
}
