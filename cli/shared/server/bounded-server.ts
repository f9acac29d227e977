import { createServer, type IncomingMessage, type Server } from "node:http";
import type { Connections } from "./connections.js";

/** Times in milliseconds after which a server closes a connection. */
export interface ServerTimes {
  /** Time within which a request must be complete. */
  requestTime: number;
  /** Time after which a connection without a request is closed. */
  idleTime: number;
  /** Time after which a connection is closed if the client neither sends nor reads. */
  answerTime: number;
}

/** Maximum bytes of a request's headers. */
const MAX_HEADERS = 8192;

/** Creates a server that closes slow connections and counts all others; it does not listen yet. */
export function boundedServer({ requestTime, idleTime, answerTime }: ServerTimes, connections: Connections): Server {
  const server = createServer({
    requestTimeout: requestTime,
    headersTimeout: requestTime,
    keepAliveTimeout: idleTime,
    connectionsCheckingInterval: Math.min(1000, requestTime),
    maxHeaderSize: MAX_HEADERS,
  });
  server.setTimeout(answerTime);
  server.on("connection", (socket) => connections.add(socket));
  return server;
}

/**
 * Reads the body of a request.
 * @param max Maximum number of bytes.
 * @returns undefined for a longer body, whose rest is not read
 * @throws Error if the body breaks off
 */
export async function bodyOf(request: IncomingMessage, max: number): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > max) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}
