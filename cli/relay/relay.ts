import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { unlessAborted } from "../../sdk/chain/waiting.js";
import { MAX_MESSAGE_BYTES, parseMessage, type AwayMessage, type AwayMove } from "../../sdk/protocol/away/messages.js";
import { firstTable, tableHash } from "../../sdk/protocol/away/table.js";
import { checkMove, checkNote } from "../../sdk/protocol/away/transcript.js";
import { isKind } from "../../sdk/protocol/error-kind.js";
import { InputError, oneLine } from "../../sdk/protocol/input.js";
import { Seat, Status } from "../../sdk/protocol/status.js";
import { acquireLock } from "../shared/lock.js";
import { nextPort } from "../shared/port.js";
import { Busy } from "./busy.js";
import { FactsCache, type RelayedMatch } from "./facts-cache.js";
import { MatchArchive, NoPlace, type ArchiveLimits, type Held } from "./match-archive.js";
import { Waiters } from "./waiters.js";

/** Usual port of a relay. */
export const RELAY_PORT = 8090;

/** Limits of a relay; each has a default. */
export interface RelayLimits extends ArchiveLimits {
  /** Connections at once. */
  connections: number;
  /** Requests that wait for messages at once; more are answered at once. */
  waiting: number;
  /** Seconds for which a request waits. */
  wait: number;
  /** Milliseconds in which a request must have come. */
  requestTime: number;
  /** Milliseconds in which an answer must have been read. */
  answerTime: number;
  /** Matches whose facts are read from the chain at once; half as many of those that have no messages. */
  reads: number;
}

/** Options of a relay. */
export interface RelayOptions {
  chainId: bigint;
  /** Address of the arena. */
  arena: string;
  /** Folder of the archive of this deployment. */
  folder: string;
  /** Port of the relay; any free one for 0. */
  port: number;
  /** Address that it listens on; 127.0.0.1 if left out. */
  host?: string;
  /** Reads a match from the chain; undefined for one that nobody has joined. */
  readMatch(matchId: bigint): Promise<RelayedMatch | undefined>;
  limits?: Partial<RelayLimits>;
  /** Called with a line of text for each failure that is not the client's. */
  onTrouble?: (line: string) => void;
  /** Returns milliseconds since some moment. */
  now?: () => number;
}

const LIMITS: RelayLimits = {
  matches: 10_000,
  bytes: 4 * 2 ** 30,
  connections: 1_000,
  waiting: 500,
  wait: 30,
  requestTime: 10_000,
  answerTime: 30_000,
  reads: 8,
};

/** Bytes of messages in an answer, about, at most. */
const PAGE_BYTES = 256 * 1024;

const HEADERS = {
  "Access-Control-Allow-Origin": "*",
  "Cache-Control": "no-store",
  "Content-Type": "application/json",
  "X-Content-Type-Options": "nosniff",
};
const PREFLIGHT = {
  "Access-Control-Allow-Methods": "GET, PUT",
  "Access-Control-Allow-Headers": "content-type",
  "Access-Control-Max-Age": "86400",
};

/** Refusal of a request. */
class Refusal extends Error {
  constructor(
    readonly status: number,
    message: string,
    readonly headers: Readonly<Record<string, string>> = {},
  ) {
    super(message);
  }
}

/** Request for a match, as its path names it. */
interface Place {
  matchId: bigint;
  /** Number behind the match, or `notes`. */
  rest: string;
}

/**
 * Passes the messages of matches between their players, and keeps them. It takes what a player of a match has signed,
 * and shows it to everybody; it holds nothing secret and decides nothing.
 */
export class Relay {
  private readonly archive: MatchArchive;
  private readonly limits: RelayLimits;
  private readonly facts: FactsCache;
  private readonly waiters: Waiters;
  /** Connections with a request that is not answered yet. */
  private readonly busy = new WeakSet<Socket>();
  /** Ends the checks of messages that are not being written yet. */
  private readonly stopping = new AbortController();

  private constructor(
    private readonly server: Server,
    private readonly options: RelayOptions,
    private readonly unlock: () => void,
  ) {
    this.limits = { ...LIMITS, ...options.limits };
    const { folder, readMatch, now = () => performance.now() } = options;
    this.archive = new MatchArchive(folder, this.limits);
    this.waiters = new Waiters(this.limits.waiting);
    const hasMessages = (matchId: bigint) => this.archive.has(matchId);
    const onTrouble = (error: unknown) => this.tell(error);
    this.facts = new FactsCache({ readMatch, hasMessages, onTrouble, now }, this.limits.reads);
    server.on("request", (request, response) => void this.answer(request, response));
  }

  /**
   * Starts a relay.
   * @throws Error if the port is taken, or another relay keeps its messages in the folder.
   */
  static async start(options: RelayOptions): Promise<Relay> {
    // Each would add to files of which it has not read what the other has added.
    const unlock = acquireLock(`${options.folder}.pid`, `A relay keeps its messages in ${options.folder}`);
    try {
      return await Relay.listening(options, unlock);
    } catch (error) {
      unlock();
      throw error;
    }
  }

  private static async listening(options: RelayOptions, unlock: () => void): Promise<Relay> {
    const { connections, requestTime } = { ...LIMITS, ...options.limits };
    const { port, host = "127.0.0.1" } = options;
    const server = createServer({
      requestTimeout: requestTime,
      headersTimeout: requestTime,
      connectionsCheckingInterval: Math.min(1000, requestTime),
      maxHeaderSize: 8192,
    });
    server.maxConnections = connections;
    const relay = new Relay(server, options, unlock);
    server.listen(port, host);
    try {
      await once(server, "listening");
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EADDRINUSE") throw error;
      const free = `--port ${nextPort(port)}`;
      throw new Error(`Port ${port} of ${host} is taken: stop what listens there, or choose another, e.g. ${free}.`, {
        cause: error,
      });
    }
    // Without a listener an error ends the process: there may be no descriptor for a connection that comes.
    server.on("error", (error) => relay.tell(error));
    return relay;
  }

  /** Address of the relay. */
  get url(): string {
    const { address, port, family } = this.server.address() as AddressInfo;
    return `http://${family === "IPv6" ? `[${address}]` : address}:${port}`;
  }

  /** Stops, whatever clients keep open, and returns once all messages that are being written are on the disk. */
  async stop(): Promise<void> {
    const closed = once(this.server, "close");
    this.server.close();
    this.stopping.abort(new Busy("the relay stops"));
    this.waiters.wakeAll();
    this.server.closeAllConnections();
    await closed;
    await this.archive.idle();
    this.unlock();
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { socket } = request;
    // Answers to many requests at once would be held in memory until the client reads them.
    if (this.busy.has(socket)) return void socket.destroy();
    this.busy.add(socket);
    response.once("close", () => this.busy.delete(socket));
    // Whoever does not read is cut off, so that nobody can hold all connections.
    const { answerTime, wait } = this.limits;
    const slow = setTimeout(() => socket.destroy(), answerTime + wait * 1000);
    response.once("close", () => clearTimeout(slow));
    response.once("error", () => undefined);
    try {
      const { status, body, headers = {} } = await this.answerTo(request, response);
      response.writeHead(status, { ...HEADERS, ...headers }).end(body);
    } catch (error) {
      const { status, message, headers } = this.refusalOf(error);
      // The rest of a body that is too long is not read.
      const closing = request.complete ? {} : { Connection: "close" };
      response.writeHead(status, { ...HEADERS, ...headers, ...closing });
      response.end(JSON.stringify({ error: oneLine(message) }));
    }
  }

  private refusalOf(error: unknown): Refusal {
    if (error instanceof Refusal) return error;
    if (error instanceof NoPlace) return new Refusal(error.kind === "order" ? 409 : 507, error.message);
    if (error instanceof Busy) return new Refusal(503, error.message, { "Retry-After": "1" });
    if (isKind(error, InputError)) return new Refusal(400, error.message);
    this.tell(error);
    return new Refusal(500, "the relay has failed");
  }

  /** Tells of a failure that is not the client's. */
  private tell(error: unknown): void {
    this.options.onTrouble?.(oneLine(String(error instanceof Error ? error.message : error)));
  }

  private async answerTo(
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<{ status: number; body: string; headers?: Record<string, string> }> {
    const { method, url = "/" } = request;
    const [path, query = ""] = url.split("?", 2);
    if (method === "OPTIONS") return { status: 204, body: "", headers: PREFLIGHT };
    if (path === "/" && method === "GET") return { status: 200, body: JSON.stringify(this.info()) };
    const place = this.placeOf(path);
    if (method === "GET") return { status: 200, body: await this.messages(place, query, response) };
    if (method === "PUT") return { status: (await this.put(place, request)) ? 201 : 200, body: "{}" };
    throw new Refusal(405, `${method} is not allowed`, { Allow: "GET, PUT" });
  }

  private info(): object {
    const { chainId, arena } = this.options;
    return { type: "duello relay", chainId: Number(chainId), arena };
  }

  /** @throws Refusal for a path that is no place in a match of this deployment. */
  private placeOf(path: string): Place {
    const { chainId, arena } = this.options;
    const [, chain, address = "", match = "", rest = "0", more] = path.split("/");
    const isHere = chain === String(chainId) && address.toLowerCase() === arena.toLowerCase();
    if (!isHere) throw new Refusal(404, `this relay is of the arena ${arena} of chain ${chainId}`);
    const isPlace = /^[1-9]\d{0,77}$/.test(match) && /^(\d{1,10}|notes)$/.test(rest) && more === undefined;
    if (!isPlace) throw new Refusal(404, "there is no such place");
    return { matchId: BigInt(match), rest };
  }

  /** Returns messages of a match from a place on; waits for the first one as long as the query says. */
  private async messages({ matchId, rest }: Place, query: string, response: ServerResponse): Promise<string> {
    if (rest === "notes") throw new Refusal(405, "notes are read with all messages", { Allow: "PUT" });
    const from = Number(rest);
    const { wait, digest } = queryOf(query, this.limits.wait);
    // A reader that has seen more than there is, or something else, begins anew: the archive was lost.
    const isLost = ({ lines, digests }: Held) =>
      from > lines.length || (digest !== undefined && digest !== digests[from]);
    const isNews = (held: Held) => from < held.lines.length || isLost(held);
    if (wait > 0) await this.waiters.wait(matchId, wait, response, () => this.archive.read(matchId).then(isNews));
    const held = await this.archive.read(matchId);
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
  private async put({ matchId, rest }: Place, request: IncomingMessage): Promise<boolean> {
    const message = parseMessage(await bodyOf(request), "message");
    const place = message.type === "move" ? String(message.nonce) : "notes";
    if (rest !== place) throw new InputError("message", `its place is ${place}, not ${rest}`);
    const { signal } = this.stopping;
    const isNew = await this.archive.add(matchId, message, (last) =>
      unlessAborted(
        this.facts.check(matchId, (facts) => checkMessage(matchId, facts, last, message)),
        signal,
      ),
    );
    if (isNew) this.waiters.wake(matchId);
    return isNew;
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
  if (!facts) throw new Refusal(404, `match ${matchId} is not in play`);
  if (facts.status !== Status.AllJoined) throw new Refusal(410, `match ${matchId} is over`);
  if (message.type !== "move") return checkNote(facts, message, "message");
  checkMove(facts, last, message, "message");
  if (last || facts.turn !== Seat.Either || facts.stateHash === undefined) return;
  // Whoever is not in turn must not take the first place with a base of its own.
  if (tableHash(firstTable(message.base, message.seat)) === facts.stateHash) return;
  throw new InputError("message.base", "the match did not begin so");
}

/** Reads the query of a request for messages. @param most Seconds for which it waits, at most. */
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
      if (size > MAX_MESSAGE_BYTES) throw new Refusal(413, `a message has ${MAX_MESSAGE_BYTES} bytes at most`);
      chunks.push(chunk);
    }
  } catch (error) {
    throw error instanceof Refusal ? error : new Refusal(400, "the message breaks off");
  }
  return Buffer.concat(chunks).toString("utf8");
}
