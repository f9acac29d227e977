import { once } from "node:events";
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import { BlockList } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { getRequestListener } from "@hono/node-server";
import type { CommandContext } from "../shared/command/context.js";
import { boundedServer, type ServerTimes } from "../shared/server/bounded-server.js";
import { Budget, type Allowance } from "../shared/server/budget.js";
import { Connections, type ConnectionLimits } from "../shared/server/connections.js";
import { listenOn, urlOfServer } from "../shared/server/port.js";
import { ApiPlayer, type ApiPlayerOptions } from "./api-player.js";
import { apiApp } from "./app.js";
import { Refusal } from "./refusal.js";
import { tokenProblem, type TokenScope } from "./token.js";

/** Limits of an API server; each has a default. */
export interface ApiLimits extends ConnectionLimits, ServerTimes {
  /** Requests with a valid token. */
  requests: Allowance;
  /** Requests without a valid token, and the first request with each token. */
  strangers: Allowance;
  /** Maximum number of streams at once. */
  streams: number;
  /** Milliseconds after which a stream without news sends an empty line; less than `answerTime`. */
  beat: number;
  /** Milliseconds for which a request waits for its allowance. */
  patience: number;
}

/** Default limits of an API server. */
export const API_LIMITS: ApiLimits = {
  connections: 128,
  clientConnections: 128,
  requestTime: 10_000,
  idleTime: 5_000,
  answerTime: 30_000,
  requests: { burst: 200, perSecond: 20 },
  strangers: { burst: 20, perSecond: 2 },
  streams: 32,
  beat: 7_000,
  patience: 1_000,
};

/** Options of an API server. */
export interface ApiServerOptions extends ApiPlayerOptions {
  /** Port of the server on this machine; 0 for any free one. */
  port: number;
  limits?: Partial<ApiLimits>;
  /** Called with each failure that no client caused. */
  onTrouble(error: unknown): void;
  /** Returns milliseconds since 1970. */
  now?: () => number;
}

/** Maximum number of valid tokens that are remembered. */
const MAX_TOKENS = 64;

/** Milliseconds in which streams can send their last lines when the server stops. */
const GRACE = 200;

/** Names under which requests are counted. */
const BOT = "bot";
const STRANGER = "stranger";

/** Serves the API of one player to programs on this machine. */
export class ApiServer {
  private readonly limits: ApiLimits;
  private readonly server: Server;
  private readonly connections: Connections;
  private readonly requests: Budget;
  private readonly strangers: Budget;
  private readonly now: () => number;
  private readonly tokens = new Set<string>();
  private streams = 0;

  private constructor(
    private readonly player: ApiPlayer,
    private readonly scope: TokenScope,
    private readonly options: ApiServerOptions,
  ) {
    this.limits = { ...API_LIMITS, ...options.limits };
    const { requests, strangers, patience } = this.limits;
    this.now = options.now ?? Date.now;
    this.requests = new Budget(requests, patience, this.now);
    this.strangers = new Budget(strangers, patience, this.now);
    this.connections = new Connections(this.limits, new BlockList(), () => undefined);
    this.server = boundedServer(this.limits, this.connections);
    this.server.on("request", this.listener());
  }

  /** Starts the player and its server. @throws Error if the port is taken; InputError without a relay */
  static async start(context: CommandContext, options: ApiServerOptions): Promise<ApiServer> {
    const player = await ApiPlayer.start(context, options);
    const server = new ApiServer(player, await tokenScopeOf(context), options);
    try {
      await listenOn(server.server, options.port, "--port");
    } catch (error) {
      await player.stop();
      throw error;
    }
    // Without a listener, an error ends the process, for example if no file descriptor is left for a connection.
    server.server.on("error", options.onTrouble);
    return server;
  }

  /** Address of the server. */
  get url(): string {
    return urlOfServer(this.server);
  }

  /** Stops, once nothing is being sent to the chain. */
  async stop(): Promise<void> {
    const closed = once(this.server, "close");
    this.server.close();
    await this.player.stop();
    await Promise.race([closed, pause(GRACE)]);
    this.server.closeAllConnections();
    await closed;
  }

  private listener(): (request: IncomingMessage, response: ServerResponse) => void {
    const app = apiApp({
      player: this.player,
      beat: this.limits.beat,
      authorize: (token) => this.authorize(token),
      beginStream: () => this.beginStream(),
      onTrouble: this.options.onTrouble,
    });
    const unreadable = () => new Response(`{"error":"The request cannot be read."}`, { status: 400 });
    const answer = getRequestListener(app.fetch, { overrideGlobalObjects: false, errorHandler: unreadable });
    return (request, response) => {
      const { socket } = request;
      // A connection carries one request at a time, so the number of connections limits the requests.
      if (!this.connections.begin(socket)) return void socket.destroy();
      response.once("close", () => this.connections.end(socket));
      response.once("error", () => undefined);
      void answer(request, response);
    };
  }

  /** Counts a request, and checks its token. @throws Refusal */
  private async authorize(token: string | undefined): Promise<void> {
    const isKnown = token !== undefined && this.tokens.has(token);
    const [budget, name] = isKnown ? [this.requests, BOT] : [this.strangers, STRANGER];
    if (!(await budget.use(name, 1))) throw new Refusal(429, "Too many requests: try again in a second.");
    if (token === undefined) throw new Refusal(401, "The header Authorization: Bearer TOKEN is missing.");
    const problem = tokenProblem(this.scope, token, Math.floor(this.now() / 1000));
    if (problem !== undefined) {
      this.tokens.delete(token);
      throw new Refusal(401, problem);
    }
    if (this.tokens.size >= MAX_TOKENS) this.tokens.clear();
    this.tokens.add(token);
  }

  private beginStream(): () => void {
    const { streams } = this.limits;
    if (this.streams >= streams) throw new Refusal(429, `You have ${streams} streams, the most: close one first.`);
    this.streams++;
    return () => void this.streams--;
  }
}

/** Returns the player and the deployment for which the caller's tokens are valid. */
export async function tokenScopeOf(context: CommandContext): Promise<TokenScope> {
  const { chainId, addresses } = context;
  return { player: await context.address(), chainId, arena: addresses.Arena };
}
