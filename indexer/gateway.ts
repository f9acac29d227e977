import { createServer, type Server } from "node:http";
import { BlockList } from "node:net";
import { getRequestListener, type HttpBindings } from "@hono/node-server";
import { Hono, type Context } from "hono";
import { bodyLimit } from "hono/body-limit";
import { cors } from "hono/cors";
import { Busy } from "../cli/shared/server/busy.js";
import { clientOf } from "../cli/shared/server/client-address.js";
import { Connections, type ConnectionLimits } from "../cli/shared/server/connections.js";
import { FairQueue } from "../cli/shared/node/fair-queue.js";
import { listenOn } from "../cli/shared/server/port.js";
import { Tally } from "../cli/shared/server/tally.js";
import { textOf } from "../sdk/chain/response.js";
import type { PonderProcess } from "./ponder-process.js";
import { REQUESTS } from "./requests.js";

/** Limits of the gateway; each has a default. */
export interface GatewayLimits extends ConnectionLimits {
  /** Maximum bytes of a request's body. */
  body: number;
  /** Maximum bytes of an answer. */
  answer: number;
  /** Maximum bytes of unread answers, in total and per client. */
  unread: number;
  clientUnread: number;
  /** Maximum number of requests that are answered in parallel, in total and per client. */
  running: number;
  clientRunning: number;
  /** Milliseconds for which a request waits for its turn. */
  patience: number;
  /** Milliseconds within which a request must be complete. */
  requestTime: number;
  /** Milliseconds within which a request must be answered, counted from its turn. */
  questionTime: number;
  /** Milliseconds, counted from a request's arrival, within which the client must read the answer. */
  answerTime: number;
}

/** Maximum bytes of an answer: as many as the SDK's client reads. */
const MAX_ANSWER = 32_000_000;

/** Default limits of the gateway. */
export const GATEWAY_LIMITS: GatewayLimits = {
  connections: 500,
  clientConnections: 50,
  body: 100_000,
  answer: MAX_ANSWER,
  unread: 16 * MAX_ANSWER,
  clientUnread: 2 * MAX_ANSWER,
  running: 8,
  clientRunning: 2,
  patience: 5_000,
  requestTime: 15_000,
  questionTime: 15_000,
  answerTime: 120_000,
};

/** Maximum bytes of an answer that is sent even if too many bytes of other answers are unread. */
const SMALL_ANSWER = 100_000;

/** Process that answers the requests. */
type Asked = Pick<PonderProcess, "hasServed" | "fetch">;

/** Options of the gateway. */
interface GatewayOptions {
  port: number;
  /** Address to listen on; defaults to 127.0.0.1. */
  host?: string;
  /** Option that the error names if the port is taken; defaults to `--port`. */
  portOption?: string;
  /** True to pass on SQL queries. */
  hasSql: boolean;
  /** Proxies whose `X-Forwarded-For` is trusted; defaults to none. */
  proxies?: BlockList;
  /** Returns the process that answers; undefined while none runs. */
  ponder: () => Asked | undefined;
  /** Returns why the index is not ready; undefined if it is. */
  trouble: () => string | undefined;
  limits?: Partial<GatewayLimits>;
}

/** Options with all defaults filled in. */
type Settled = GatewayOptions & { proxies: BlockList; limits: GatewayLimits };

/** State of a request on its way through the gateway. */
interface Environment {
  Bindings: HttpBindings;
  Variables: {
    client: string;
    /** Returns whether the client has received its answer or has disconnected. */
    isOver: () => boolean;
    /** Counts bytes of the answer until the client has read it. Returns false if there are too many. */
    hold: (bytes: number) => boolean;
  };
}

/**
 * Public server of the index: passes permitted requests on to Ponder, within limits. It answers even while Ponder does
 * not.
 */
export class Gateway {
  private constructor(private readonly server: Server) {}

  /** Starts the server. @throws Error if the port is taken. */
  static async listen(options: GatewayOptions): Promise<Gateway> {
    const { proxies = new BlockList() } = options;
    const limits = { ...GATEWAY_LIMITS, ...options.limits };
    const { requestTime, answerTime } = limits;
    const answer = getRequestListener(appOf({ ...options, proxies, limits }).fetch);
    const connections = new Connections(limits, proxies, () => undefined);
    // Node checks for late requests every 30 s by default.
    const times = { requestTimeout: requestTime, connectionsCheckingInterval: Math.min(1000, requestTime) };
    const server = createServer(times, (request, response) => {
      const { socket } = request;
      // A connection may have only one open request: otherwise many unread answers would be held in memory.
      if (socket.remoteAddress === undefined || !connections.begin(socket)) return void socket.destroy();
      const slow = setTimeout(() => socket.destroy(), answerTime);
      response.once("close", () => {
        clearTimeout(slow);
        connections.end(socket);
      });
      void answer(request, response);
    });
    server.on("connection", (socket) => connections.add(socket));
    await listenOn(server, options.port, options.portOption ?? "--port", options.host);
    return new Gateway(server);
  }

  /** Stops the server. */
  async close(): Promise<void> {
    const closed = new Promise((resolve) => this.server.close(resolve));
    this.server.closeAllConnections();
    await closed;
  }
}

function appOf({ hasSql, proxies, ponder, trouble, limits }: Settled): Hono<Environment> {
  const queue = new FairQueue(limits.running, limits.patience, limits.clientRunning);
  const requests = new Tally();
  const unread = new Tally();

  const answerOf = async (process: Asked, c: Context<Environment>, body?: ArrayBuffer): Promise<Response> => {
    const { method, url } = c.req;
    const { pathname, search } = new URL(url);
    const headers = { "content-type": "application/json" };
    const answer = await process.fetch(pathname + search, { method, body, headers });
    const text = await textOf(answer, limits.answer);
    if (text === undefined) return c.text(`The answer has more than ${limits.answer} bytes: ask for fewer rows.`, 413);
    if (!c.get("hold")(Buffer.byteLength(text))) return c.text("Too many answers are not read yet.", 429);
    const type = answer.headers.get("content-type") ?? "text/plain";
    return new Response(text, { status: answer.status, headers: { "content-type": type } });
  };

  /**
   * Sends a request to Ponder, within the time limit. Its slot stays occupied until Ponder has answered, since Ponder
   * does not stop earlier.
   */
  const ask = (c: Context<Environment>, body?: ArrayBuffer): Promise<Response> =>
    new Promise((resolve, reject) => {
      const run = async () => {
        const process = ponder();
        // The answer is useless once the client has disconnected.
        if (c.get("isOver")() || !process?.hasServed) return resolve(c.text("The index is starting.", 503));
        const late = setTimeout(() => resolve(c.text("The question took too long.", 504)), limits.questionTime);
        late.unref();
        resolve(await answerOf(process, c, body).finally(() => clearTimeout(late)));
      };
      queue.run(c.get("client"), run).catch(reject);
    });

  const pass = async (c: Context<Environment>): Promise<Response> => {
    // The code that detects a body that is too long, or ends too early, also reports it.
    const body = c.req.method === "POST" ? await c.req.arrayBuffer() : undefined;
    try {
      return await ask(c, body);
    } catch (error) {
      if (error instanceof Busy) return c.text("Too many questions are waiting.", 503, { "retry-after": "5" });
      return c.text("The index does not answer.", 502);
    }
  };

  const app = new Hono<Environment>();
  app.onError((_, c) => c.text("The request cannot be read.", 400));
  app.use(cors({ origin: "*", maxAge: 86_400 }));
  app.use(async (c, next) => {
    const { incoming, outgoing } = c.env;
    const client = clientOf(incoming.socket.remoteAddress!, c.req.header("x-forwarded-for") ?? "", proxies);
    const { clientConnections } = limits;
    if (requests.of(client) >= clientConnections) {
      return c.text(`${client} has ${clientConnections} requests at once, the most.`, 429);
    }
    let [isOver, held] = [false, 0];
    requests.add(client);
    outgoing.once("close", () => {
      isOver = true;
      requests.remove(client);
      unread.remove(client, held);
    });
    c.set("client", client);
    c.set("isOver", () => isOver);
    c.set("hold", (bytes) => {
      const isTooMuch = unread.of(client) + bytes > limits.clientUnread || unread.total + bytes > limits.unread;
      // The number of connections limits small answers. Unread answers of other clients must not block them.
      if (isOver || (isTooMuch && bytes > SMALL_ANSWER)) return false;
      held = bytes;
      unread.add(client, bytes);
      return true;
    });
    await next();
  });
  const tooLong = `The body has more than ${limits.body} bytes.`;
  app.use(bodyLimit({ maxSize: limits.body, onError: (c) => c.text(tooLong, 413) }));
  app.get(REQUESTS.health.path, (c) => c.text(""));
  app.get(REQUESTS.ready.path, (c) => {
    const reason = trouble();
    return reason === undefined ? c.text("") : c.text(reason, 503);
  });
  app.get(REQUESTS.status.path, pass);
  app.on(["GET", "POST"], REQUESTS.graphql.path, pass);
  if (hasSql) app.get(REQUESTS.sql.path, pass);
  return app;
}
