import { once } from "node:events";
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import { BlockList } from "node:net";
import type { Duplex } from "node:stream";
import { getRequestListener } from "@hono/node-server";
import type { ChannelsAt } from "../../sdk/protocol/channels/messages.js";
import { isKind } from "../../sdk/protocol/error-kind.js";
import { InputError, oneLine } from "../../sdk/protocol/input.js";
import { boundedServer, type ServerTimes } from "../shared/server/bounded-server.js";
import { Busy } from "../shared/server/busy.js";
import { clientOf } from "../shared/server/client-address.js";
import { Connections, type ConnectionLimits } from "../shared/server/connections.js";
import { HOST, listenAt, urlOfServer, type Address } from "../shared/server/port.js";
import { Tally } from "../shared/server/tally.js";
import { relayApp } from "./app.js";
import { Budget, type Allowance } from "../shared/server/budget.js";
import { KeyNews } from "./key-news.js";
import { Metrics } from "./metrics.js";
import { LATER, REASONS, Refusal } from "./refusal.js";
import type { SeekLimits } from "./seeks.js";
import { STORE_FAILS, type MessageLimits, type OpenStore, type RelayStore } from "./store.js";
import { Waiters } from "./waiters.js";

/** Limits of a relay; each has a default. */
export interface RelayLimits extends MessageLimits, ConnectionLimits, SeekLimits, ServerTimes {
  /** Maximum number of streams that wait for news, in total and per client; others end when they have no news. */
  waiting: number;
  clientWaiting: number;
  /** Requests and events of a client. A refused message counts as three; reading 64 KB of a channel counts as one. */
  clientRequests: Allowance;
  /** Channels that a client adds. The first channel that answers a search counts for the searching client instead. */
  clientChannels: Allowance;
  /** Seconds after which a stream without news sends a comment; less than `answerTime`. */
  beat: number;
  /** Milliseconds for which a request waits for the allowance of its client. */
  patience: number;
}

/** Options of a relay. */
export interface RelayOptions extends ChannelsAt {
  /** Opens the store of this deployment. */
  store: OpenStore;
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
  connections: 10_000,
  clientConnections: 200,
  waiting: 5_000,
  clientWaiting: 50,
  clientRequests: { burst: 500, perSecond: 50 },
  clientChannels: { burst: 100, perSecond: 100 / 3600 },
  beat: 15,
  idleTime: 5_000,
  requestTime: 10_000,
  answerTime: 30_000,
  patience: 1_000,
};

/** Cost of a rejected message in addition to its request, and bytes read from the store that cost one request. */
const REFUSED_COST = 2;
const LOADED_BYTES = 64 * 1024;

/** Milliseconds for which the result of a check of the store is cached. */
const CHECK_LIFE = 5_000;

/**
 * Passes messages of channels between their players, stores them, and lists searches for players. It accepts messages
 * that a player has signed, and shows them to everybody. It reads no chain, holds no secrets and decides nothing.
 */
export class Relay {
  private store!: RelayStore;
  private readonly limits: RelayLimits;
  private readonly waiters: Waiters;
  private readonly news = new KeyNews((key) => this.waiters.wake(key));
  private readonly connections: Connections;
  private readonly proxies: BlockList;
  private readonly now: () => number;
  /** Requests of each client that are not answered yet. */
  private readonly running = new Tally();
  private readonly requests: Budget;
  private readonly channels: Budget;
  private readonly metrics = new Metrics();
  private readonly metricsServer = this.metrics.server(async () => ((await this.takesMessages()) ? [] : [STORE_FAILS]));
  private readonly server: Server;
  private checked?: { time: number; works: Promise<boolean> };

  private constructor(private readonly options: RelayOptions) {
    const { now = () => performance.timeOrigin + performance.now(), proxies = new BlockList(), own } = options;
    this.limits = { ...RELAY_LIMITS, ...options.limits };
    const { limits } = this;
    this.now = now;
    this.proxies = proxies;
    const budgetOf = (allowance: Allowance) => new Budget(allowance, limits.patience, now, own);
    this.requests = budgetOf(limits.clientRequests);
    this.channels = budgetOf(limits.clientChannels);
    this.waiters = new Waiters(limits.waiting, limits.clientWaiting, own);
    this.connections = new Connections(limits, proxies, () => this.metrics.closedConnection(), own);
    this.server = boundedServer(limits, this.connections);
    this.server.on("clientError", (error, socket) => this.answerNone(error, socket));
  }

  /** Starts a relay. @throws Error if the port is taken, or the store cannot be opened */
  static async start(options: RelayOptions): Promise<Relay> {
    const relay = new Relay(options);
    await relay.open();
    return relay;
  }

  private async open(): Promise<void> {
    const { chainId, channels, port, host = HOST, metrics, store } = this.options;
    const at = { chainId, channels };
    const { limits, news, now, server, metricsServer } = this;
    const onLoad = (client: string, bytes: number) => this.requests.charge(client, bytes / LOADED_BYTES);
    this.store = await store({ at, limits, news, now, onLoad, onTrouble: this.tell });
    try {
      this.measure();
      server.on("request", this.listener(at));
      await listenAt(server, { host, port }, (free) => `--port ${free}`);
      if (metrics) await listenAt(metricsServer, metrics, (free) => `--metrics ${metrics.host}:${free}`);
    } catch (error) {
      await this.stop();
      throw error;
    }
    // Without a listener, an error ends the process, for example if no file descriptor is left for a connection.
    for (const each of [server, metricsServer]) each.on("error", this.tell);
  }

  /** Address of the relay. */
  get url(): string {
    return urlOfServer(this.server);
  }

  /** Address of the counts for monitoring. @throws Error if no counts are served */
  get metricsUrl(): string {
    return `${urlOfServer(this.metricsServer)}/metrics`;
  }

  /** Stops, even if clients keep connections open, and returns once all accepted messages are durable. */
  async stop(): Promise<void> {
    const servers = [this.server, this.metricsServer].filter(({ listening }) => listening);
    const closed = servers.map((server) => once(server, "close"));
    for (const server of servers) server.close();
    this.waiters.wake();
    for (const server of servers) server.closeAllConnections();
    await Promise.all(closed);
    await this.store.close();
  }

  /** Returns the listener of the server's requests. */
  private listener(at: ChannelsAt): (request: IncomingMessage, response: ServerResponse) => void {
    const { store, news, waiters, limits, metrics } = this;
    const clients = new WeakMap<IncomingMessage, string>();
    const app = relayApp({
      at,
      store,
      news,
      waiters,
      beat: limits.beat,
      clientOf: (request) => clients.get(request)!,
      begin: (client) => this.begin(client),
      admit: (client) => this.requests.use(client, 1),
      admitChannel: (client) => this.channels.use(client, 1),
      onMessage: (message, isNew) => metrics.message(message, isNew),
      check: () => this.check(),
      refusalOf: (error, client, request) => {
        const refusal = this.refusalOf(error);
        const { reason, status } = refusal;
        metrics.refused(reason);
        if (request.method === "PUT" && status < 500 && status !== 429) this.requests.charge(client, REFUSED_COST);
        return refusal;
      },
    });
    const unreadable = () => {
      metrics.refused("malformed");
      return new Response(`{"error":"the request cannot be read"}`, { status: REASONS.malformed.status });
    };
    const answer = getRequestListener(app.fetch, { overrideGlobalObjects: false, errorHandler: unreadable });
    return (request, response) => {
      const { socket } = request;
      // The answers to many parallel requests would fill the memory until the client reads them.
      if (socket.remoteAddress === undefined || !this.connections.begin(socket)) return void socket.destroy();
      const client = this.clientOf(request);
      clients.set(request, client);
      this.running.add(client);
      response.once("close", () => {
        this.connections.end(socket);
        this.running.remove(client);
      });
      response.once("error", () => undefined);
      // Nothing depends on the host's name, which may be missing or in any form.
      request.headers.host = "relay";
      void answer(request, response);
    };
  }

  /** @throws Refusal if a client has too many open requests */
  private begin(client: string): void {
    const { clientConnections } = this.limits;
    if (this.running.of(client) <= clientConnections || this.options.own?.has(client)) return;
    throw new Refusal("client-connections", `${client} has ${clientConnections} requests at once, the most`, LATER);
  }

  private clientOf({ socket, headers }: IncomingMessage): string {
    return clientOf(socket.remoteAddress ?? "", String(headers["x-forwarded-for"] ?? ""), this.proxies);
  }

  /** Answers data that is not a valid HTTP request. */
  private answerNone({ code }: NodeJS.ErrnoException, socket: Duplex): void {
    const reason =
      code === "HPE_HEADER_OVERFLOW" ? "headers" : code === "ERR_HTTP_REQUEST_TIMEOUT" ? "slow" : "malformed";
    this.metrics.refused(reason);
    if (socket.writable) socket.write(`HTTP/1.1 ${REASONS[reason].status} Refused\r\nConnection: close\r\n\r\n`);
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
  private readonly tell = (error: unknown): void => {
    this.options.onTrouble?.(oneLine(String(error instanceof Error ? error.message : error)));
  };

  /** @throws Refusal while the store accepts no messages */
  private async check(): Promise<void> {
    if (!(await this.takesMessages())) throw new Refusal("store", STORE_FAILS);
  }

  /** Checks whether the store accepts messages; caches the result. */
  private async takesMessages(): Promise<boolean> {
    const time = this.now();
    if (!this.checked || time - this.checked.time > CHECK_LIFE) {
      const failed = (error: unknown) => {
        // The store has reported the failure behind a refusal.
        if (!(error instanceof Refusal)) this.tell(error);
        return false;
      };
      this.checked = { time, works: this.store.messages.probe().then(() => true, failed) };
    }
    return this.checked.works;
  }

  /** Adds counts that are read on each request. */
  private measure(): void {
    const { metrics, store, waiters, connections } = this;
    metrics.gauge("waiting", "Streams that wait.", "for", async () => ({ messages: waiters.count }));
    metrics.gauge("open", "What is open at once.", "what", async () => ({
      connections: connections.count,
      requests: this.running.total,
    }));
    const kept = async () => ({ ...(await store.messages.state()), seeks: await store.seeks.count() });
    // The other counts are served even if the database does not answer, which is reported elsewhere.
    const keptIfKnown = () => kept().catch(() => ({}));
    metrics.gauge("kept", "What is in the store, and in the lobby.", "what", keptIfKnown);
    metrics.gauge("works", "1 for a part that works, 0 for one that does not.", "part", async () => ({
      store: (await this.takesMessages()) ? 1 : 0,
    }));
  }
}
