import type { Server } from "node:http";
import { Counter, Gauge, Registry } from "prom-client";
import type { ChannelMessage } from "../../sdk/protocol/channels/wire.js";
import { monitoringServer, type Problems } from "../shared/server/monitoring.js";
import { REASONS, type Reason } from "./refusal.js";

/** Counters of a relay's events, in the text format of Prometheus. */
export class Metrics {
  private readonly registry = new Registry();
  private readonly taken: Counter;
  private readonly repeated: Counter;
  private readonly refusals: Counter;
  private readonly closed: Counter;

  constructor() {
    this.taken = this.counter("messages_taken_total", "Messages that were added to a channel.", ["type"]);
    this.repeated = this.counter("messages_repeated_total", "Messages that a channel had before.", []);
    this.refusals = this.counter("requests_refused_total", "Requests that were refused.", ["reason"]);
    this.closed = this.counter("connections_closed_total", "Idle connections that were closed to make room.", []);
    for (const reason of Object.keys(REASONS)) this.refusals.inc({ reason }, 0);
  }

  /** Counts a message. @param isNew False for a repeated one. */
  message({ type }: ChannelMessage, isNew: boolean): void {
    if (isNew) this.taken.inc({ type });
    else this.repeated.inc();
  }

  refused(reason: Reason): void {
    this.refusals.inc({ reason });
  }

  closedConnection(): void {
    this.closed.inc();
  }

  /** Adds gauges that are read on each request. @param read Returns the value for each value of the label. */
  gauge(name: string, help: string, label: string, read: () => Promise<Record<string, number>>): void {
    new Gauge({
      name: `duello_relay_${name}`,
      help,
      labelNames: [label],
      registers: [this.registry],
      async collect() {
        const values = await read();
        this.reset();
        for (const [value, number] of Object.entries(values)) this.set({ [label]: value }, number);
      },
    });
  }

  /** Creates a server for these counts and the relay's problems, which does not listen yet. */
  server(problems: Problems): Server {
    return monitoringServer(this.registry, problems);
  }

  private counter(name: string, help: string, labelNames: string[]): Counter {
    return new Counter({ name: `duello_relay_${name}`, help, labelNames, registers: [this.registry] });
  }
}
