import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";
import { urlOf } from "../../scripts/local-chain.js";

/** A call in a request. */
export interface Call {
  id: number;
  method: string;
  params: unknown[];
}

const TOO_MANY = [{ jsonrpc: "2.0", id: null, error: { code: -32_600, message: "too many calls at once" } }];

/** Thrown in place of an answer: the request fails with this status, or the connection is cut if there is none. */
export class Down extends Error {
  constructor(readonly status?: number) {
    super("the node is down");
  }
}

/** Answers a call in place of the node: with a result, an error to throw, or undefined to ask the node. */
export type Intercept = (method: string, params: unknown[]) => unknown;

/** Refusal of a whole request: by a response, or by hanging up before or after the node has handled it. */
export type Refusal = { status: number; headers?: Record<string, string>; body?: string } | "hang up" | "hang up after";

/**
 * Starts a proxy in front of the node on a port. It answers some calls itself, limits the calls per request, and
 * refuses some requests.
 */
export async function proxyTo(
  port: number,
  intercept: Intercept,
  max = Infinity,
  refuse: (calls: readonly Call[]) => Refusal | undefined = () => undefined,
): Promise<{ url: string; close: () => Promise<void> }> {
  const answer = async (call: Call): Promise<object> => {
    try {
      const result = await intercept(call.method, call.params);
      if (result !== undefined) return { jsonrpc: "2.0", id: call.id, result };
    } catch (error) {
      if (error instanceof Down) throw error;
      const { code = -32_000, message } = error as Error & { code?: number };
      return { jsonrpc: "2.0", id: call.id, error: { code, message } };
    }
    const headers = { "content-type": "application/json" };
    const response = await fetch(urlOf(port), { method: "POST", body: JSON.stringify(call), headers });
    return (await response.json()) as object;
  };
  const server = createServer((request, response) => {
    void json(request)
      .then(async (body) => {
        const calls = [body as Call | Call[]].flat();
        const refusal = refuse(calls);
        if (refusal === "hang up") return void request.socket.destroy();
        if (typeof refusal === "object")
          return void response.writeHead(refusal.status, refusal.headers).end(refusal.body);
        const answers = calls.length > max ? TOO_MANY : await Promise.all(calls.map(answer));
        if (refusal === "hang up after") return void request.socket.destroy();
        response.setHeader("content-type", "application/json");
        response.end(JSON.stringify(Array.isArray(body) ? answers : answers[0]));
      })
      .catch((error: unknown) => {
        const { status } = error as Down;
        if (status === undefined) request.socket.destroy();
        else response.writeHead(status).end();
      });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: urlOf((server.address() as AddressInfo).port),
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
