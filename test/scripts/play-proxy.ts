import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";
import { urlOf } from "../../scripts/local-chain.js";

interface Call {
  id: number;
  method: string;
  params: unknown[];
}

const TOO_MANY = [{ jsonrpc: "2.0", id: null, error: { code: -32_600, message: "too many calls at once" } }];

/** Answers in the node's place: a result, an error to throw, or undefined to ask the node. */
export type Intercept = (method: string, params: unknown[]) => unknown;

/** A node in front of the one on a port, which answers some calls by itself, and takes so many at once. */
export async function proxyTo(
  port: number,
  intercept: Intercept,
  most = Infinity,
): Promise<{ url: string; close: () => Promise<void> }> {
  const answer = async (call: Call): Promise<object> => {
    try {
      const result = await intercept(call.method, call.params);
      if (result !== undefined) return { jsonrpc: "2.0", id: call.id, result };
    } catch (error) {
      return { jsonrpc: "2.0", id: call.id, error: { code: -32_000, message: (error as Error).message } };
    }
    const headers = { "content-type": "application/json" };
    const response = await fetch(urlOf(port), { method: "POST", body: JSON.stringify(call), headers });
    return (await response.json()) as object;
  };
  const server = createServer((request, response) => {
    void json(request).then(async (body) => {
      const calls = [body as Call | Call[]].flat();
      const answers = calls.length > most ? TOO_MANY : await Promise.all(calls.map(answer));
      response.setHeader("content-type", "application/json");
      response.end(JSON.stringify(Array.isArray(body) ? answers : answers[0]));
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
