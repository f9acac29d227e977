import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { JsonRpcProvider, type JsonRpcError, type JsonRpcPayload, type JsonRpcResult } from "ethers";
import { createHardhatRuntimeEnvironment } from "hardhat/hre";
import type { NetworkConfigOverride } from "hardhat/types/config";
import type { NetworkConnection } from "hardhat/types/network";
import { WebSocketServer, type WebSocket } from "ws";
import { localRefusal } from "../cli/shared/server/local-requests.js";
import { listenOn, urlOfServer } from "../cli/shared/server/port.js";

/** Answer to a JSON-RPC request. */
interface Answer {
  jsonrpc: "2.0";
  id: unknown;
  result?: unknown;
  error?: { code: number; message: string; data?: unknown };
}

/** Codes of JSON-RPC errors. */
const [PARSE_ERROR, INVALID_REQUEST, INTERNAL_ERROR] = [-32700, -32600, -32603];
/** Code for a reverted call, with the revert data. */
const REVERTED = 3;

/**
 * Milliseconds for which a connection without requests stays open. A client that computes for longer than this notices
 * the closed connection only when it sends, and then cannot know whether its transaction has arrived.
 */
const IDLE_TIME = 600_000;

/** Maximum bytes of a request, and of answers and notifications that a client has not read yet. */
const MAX_REQUEST = 32_000_000;
const MAX_UNREAD = 64_000_000;
/** Maximum number of calls of a batch, and subscriptions of a client. */
const MAX_CALLS = 1_000;
const MAX_SUBSCRIPTIONS = 100;

/**
 * Folder without a build: otherwise the chain would spend seconds reading all compiled sources for its error messages.
 */
const NO_ARTIFACTS = "cache/no-artifacts";

const CORS = { "Access-Control-Allow-Origin": "*", "Access-Control-Allow-Headers": "*" };

/**
 * A local chain in this process, which answers JSON-RPC over HTTP and WebSocket. It works like Hardhat's server, except
 * that it rejects commands from web pages that are open in a browser on this machine.
 */
export class ChainServer {
  private readonly sockets = new WebSocketServer({ noServer: true, maxPayload: MAX_REQUEST });

  private constructor(
    private readonly server: Server,
    private readonly connection: NetworkConnection,
  ) {
    server.on("request", (request, response) => void this.answerHttp(request, response));
    server.on("upgrade", (request, socket: Socket, head) => this.upgrade(request, socket, head));
  }

  /**
   * Starts a new chain on 127.0.0.1.
   * @param port Port, or 0 for any free one.
   * @param override Settings that override those of Hardhat's network `node`.
   * @throws Error if the port is taken.
   */
  static async start(port: number, override: NetworkConfigOverride = {}): Promise<ChainServer> {
    const { network } = await createHardhatRuntimeEnvironment({ paths: { artifacts: NO_ARTIFACTS } });
    const connection = await network.create({ network: "node", override });
    const server = createServer({ keepAliveTimeout: IDLE_TIME });
    const chain = new ChainServer(server, connection);
    try {
      await listenOn(server, port, "npm start -- --port");
    } catch (error) {
      await connection.close();
      throw error;
    }
    return chain;
  }

  /** URL of the chain. */
  get url(): string {
    return urlOfServer(this.server);
  }

  /** Returns a provider of this chain for this process, which does not use HTTP. */
  provider(): JsonRpcProvider {
    const ask = async (payload: JsonRpcPayload | JsonRpcPayload[]) => {
      const answers: Answer[] = [];
      for (const request of [payload].flat()) answers.push(await this.answerOne(request));
      return answers as (JsonRpcResult | JsonRpcError)[];
    };
    const options = { cacheTimeout: -1, batchStallTime: 0, staticNetwork: true };
    return Object.assign(new JsonRpcProvider(this.url, this.connection.networkConfig.chainId, options), { _send: ask });
  }

  /** Stops, even if clients keep connections open; does nothing if already stopped. */
  async close(): Promise<void> {
    if (!this.server.listening) return;
    const closed = once(this.server, "close");
    this.server.close();
    this.server.closeAllConnections();
    for (const client of this.sockets.clients) client.terminate();
    await closed;
    await this.connection.close();
  }

  private async answerHttp(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const refusal = localRefusal(request.headers);
    if (refusal !== undefined) {
      // Further data is not read.
      const headers = { "Content-Type": "text/plain; charset=utf-8", Connection: "close" };
      return void response.writeHead(403, headers).end(`${refusal}\n`);
    }
    if (request.method === "OPTIONS") return void response.writeHead(200, CORS).end();
    if (Number(request.headers["content-length"] ?? 0) > MAX_REQUEST) {
      const headers = { ...CORS, "Content-Type": "application/json", Connection: "close" };
      const refusal = textOf(refusalOf(`The request has more than ${MAX_REQUEST} bytes`));
      return void response.writeHead(413, headers).end(refusal);
    }
    // The body is undefined if it is too long, or if the client disconnected before sending all of it.
    const asked = await bodyOf(request);
    if (asked === undefined) return void response.destroy();
    const answer = await this.answer(asked);
    response.writeHead(200, { ...CORS, "Content-Type": "application/json" }).end(answer);
  }

  private upgrade(request: IncomingMessage, socket: Socket, head: Buffer): void {
    const refusal = localRefusal(request.headers);
    if (refusal === undefined) return this.sockets.handleUpgrade(request, socket, head, (client) => this.serve(client));
    socket.on("error", () => undefined);
    socket.end(`HTTP/1.1 403 Forbidden\r\nContent-Type: text/plain\r\nConnection: close\r\n\r\n${refusal}\n`);
  }

  /** Answers a client over WebSocket, and sends the data of its subscriptions. */
  private serve(client: WebSocket): void {
    const { provider } = this.connection;
    const subscriptions = new Set<unknown>();
    const send = (sent: string) => {
      client.send(sent);
      if (client.bufferedAmount > MAX_UNREAD) client.terminate();
    };
    const notify = (params: { subscription: unknown }) => {
      if (!subscriptions.has(params.subscription)) return;
      send(JSON.stringify({ jsonrpc: "2.0", method: "eth_subscription", params }));
    };
    provider.on("notification", notify);
    client.on("message", (message: Buffer) => {
      void this.answer(message.toString(), subscriptions).then(send);
    });
    // A client that breaks the protocol is disconnected by the library.
    client.on("error", () => undefined);
    client.on("close", () => {
      provider.off("notification", notify);
      // If the chain stops, its subscriptions end, too.
      for (const id of subscriptions)
        provider.request({ method: "eth_unsubscribe", params: [id] }).catch(() => undefined);
    });
  }

  /** Answers a request or a batch of them. @param subscriptions Receives the ids of new subscriptions. */
  private async answer(asked: string, subscriptions?: Set<unknown>): Promise<string> {
    let requests: unknown;
    try {
      requests = JSON.parse(asked);
    } catch (error) {
      return JSON.stringify(failureOf({ code: PARSE_ERROR, message: `Parse error: ${(error as Error).message}` }));
    }
    if (!Array.isArray(requests)) return textOf(await this.answerOne(requests, subscriptions));
    if (requests.length > MAX_CALLS) {
      return textOf(refusalOf(`A batch has ${requests.length} calls, and ${MAX_CALLS} is the most`));
    }
    const texts: string[] = [];
    let size = 0;
    for (const request of requests) {
      const text = textOf(await this.answerOne(request, subscriptions));
      texts.push(text);
      size += text.length;
      if (size > MAX_UNREAD) return textOf(refusalOf(`The answers have more than ${MAX_UNREAD} characters`));
    }
    return `[${texts.join()}]`;
  }

  private async answerOne(request: unknown, subscriptions?: Set<unknown>): Promise<Answer> {
    const { id, method, params = [], jsonrpc } = (request ?? {}) as Record<string, unknown>;
    const isRequest =
      jsonrpc === "2.0" &&
      ["number", "string"].includes(typeof id) &&
      typeof method === "string" &&
      Array.isArray(params);
    if (!isRequest) return refusalOf("Invalid request");
    if (method === "eth_subscribe" && (subscriptions?.size ?? 0) >= MAX_SUBSCRIPTIONS) {
      return refusalOf(`${MAX_SUBSCRIPTIONS} subscriptions are the most`, id);
    }
    try {
      const result: unknown = await this.connection.provider.request({ method, params });
      if (method === "eth_subscribe") subscriptions?.add(result);
      if (method === "eth_unsubscribe") subscriptions?.delete(params[0]);
      return { jsonrpc: "2.0", id, result };
    } catch (error) {
      return failureOf(error as Failure, id);
    }
  }
}

/** Rejects a malformed request. */
function refusalOf(message: string, id?: unknown): Answer {
  return failureOf({ code: INVALID_REQUEST, message }, id);
}

/** Serializes an answer. */
function textOf(answer: Answer): string {
  try {
    return JSON.stringify(answer);
  } catch (error) {
    // The answer is longer than a string can be.
    return JSON.stringify(failureOf({ code: INTERNAL_ERROR, message: (error as Error).message }, answer.id));
  }
}

/** Reads the body of a request; undefined if it is too long, or the client has gone. */
async function bodyOf(request: IncomingMessage): Promise<string | undefined> {
  const pieces: Buffer[] = [];
  let size = 0;
  try {
    for await (const piece of request as AsyncIterable<Buffer>) {
      size += piece.length;
      if (size > MAX_REQUEST) return undefined;
      pieces.push(piece);
    }
  } catch {
    return undefined;
  }
  return Buffer.concat(pieces).toString();
}

/** Description of a failure by Hardhat's provider. */
interface About {
  /** Data of the revert. */
  data?: string;
  transactionHash?: string;
  reason?: string;
}

/** Error of Hardhat's provider. */
interface Failure {
  message: string;
  code?: unknown;
  /** Data of the revert, or an object that contains it. */
  data?: string | About | null;
  transactionHash?: string;
}

/** Returns the error response for a failure. */
function failureOf({ message, code, data, transactionHash }: Failure, id: unknown = null): Answer {
  const about: About = typeof data === "string" ? { data } : (data ?? {});
  const details = { message, txHash: transactionHash ?? about.transactionHash, data: about.data, reason: about.reason };
  const error = { code: typeof code === "number" ? code : INTERNAL_ERROR, message };
  return { jsonrpc: "2.0", id, error: { ...error, data: code === REVERTED ? about.data : details } };
}
