import { createServer, type Server } from "node:http";
import { Counter, Gauge, Registry } from "prom-client";
import type { AwayMessage } from "../../sdk/protocol/away/messages.js";
import { REASONS, type Reason } from "./refusal.js";

/** Connections for monitoring at once, at most. */
const MAX_CONNECTIONS = 16;

/** Counts of what a relay does, in the text format of Prometheus. */
export class Metrics {
  private readonly registry = new Registry();
  private readonly taken: Counter;
  private readonly repeated: Counter;
  private readonly refusals: Counter;
  private readonly closed: Counter;

  constructor() {
    this.taken = this.counter("messages_taken_total", "Messages that were added to a match.", ["type"]);
    this.repeated = this.counter("messages_repeated_total", "Messages that a match had before.", []);
    this.refusals = this.counter("requests_refused_total", "Requests that were refused.", ["reason"]);
    this.closed = this.counter("connections_closed_total", "Idle connections that were closed to make room.", []);
    for (const reason of Object.keys(REASONS)) this.refusals.inc({ reason }, 0);
  }

  /** Counts a message. @param isNew False for one that its match had before. */
  message({ type }: AwayMessage, isNew: boolean): void {
    if (isNew) this.taken.inc({ type });
    else this.repeated.inc();
  }

  refused(reason: Reason): void {
    this.refusals.inc({ reason });
  }

  closedConnection(): void {
    this.closed.inc();
  }

  /** Adds gauges that are read when somebody asks. @param read Returns the value of each label's value. */
  gauge(name: string, help: string, label: string, read: () => Promise<Record<string, number>>): void {
    new Gauge({
      name: `duello_relay_${name}`,
      help,
      labelNames: [label],
      registers: [this.registry],
      async collect() {
        for (const [value, number] of Object.entries(await read())) this.set({ [label]: value }, number);
      },
    });
  }

  /** Returns a server, which does not listen yet, of the counts at `/metrics`. */
  server(): Server {
    const { registry } = this;
    const server = createServer({ requestTimeout: 5_000, headersTimeout: 5_000 }, (request, response) => {
      if (request.url !== "/metrics") return void response.writeHead(404).end();
      registry.metrics().then(
        (text) => response.writeHead(200, { "Content-Type": registry.contentType }).end(text),
        () => response.writeHead(500).end(),
      );
    });
    server.maxConnections = MAX_CONNECTIONS;
    return server;
  }

  private counter(name: string, help: string, labelNames: string[]): Counter {
    return new Counter({ name: `duello_relay_${name}`, help, labelNames, registers: [this.registry] });
  }
}
