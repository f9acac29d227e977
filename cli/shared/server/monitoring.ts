import { createServer, type Server } from "node:http";
import type { Registry } from "prom-client";

/** Maximum number of connections for monitoring at once. */
const MAX_CONNECTIONS = 16;

/** Returns the problems that keep a program from working, one sentence each. */
export type Problems = () => readonly string[] | Promise<readonly string[]>;

/**
 * Creates a server for monitoring, which does not listen yet. It answers `/metrics` with counts in the text format of
 * Prometheus, and `/health` with 200 and no text, or with 503 and the problems, one per line.
 */
export function monitoringServer(registry: Registry, problems: Problems): Server {
  const paths: Readonly<Record<string, () => Promise<Answer>>> = {
    "/metrics": async () => ({ status: 200, type: registry.contentType, text: await registry.metrics() }),
    "/health": async () => healthAnswer(await problems()),
  };
  const server = createServer({ requestTimeout: 5_000, headersTimeout: 5_000 }, (request, response) => {
    const path = request.url ?? "";
    if (!Object.hasOwn(paths, path)) return void response.writeHead(404).end();
    paths[path]().then(
      ({ status, type, text }) => response.writeHead(status, { "Content-Type": type }).end(text),
      () => response.writeHead(500).end(),
    );
  });
  server.maxConnections = MAX_CONNECTIONS;
  return server;
}

interface Answer {
  status: number;
  type: string;
  text: string;
}

function healthAnswer(problems: readonly string[]): Answer {
  const text = problems.map((problem) => `${problem}\n`).join("");
  return { status: problems.length > 0 ? 503 : 200, type: "text/plain; charset=utf-8", text };
}
