import type { Server } from "node:http";
import { Counter, Gauge, Registry } from "prom-client";
import { listenAt, type Address } from "../shared/server/port.js";
import { monitoringServer, type Problems } from "../shared/server/monitoring.js";

/** Counters of an agent's events. */
export class AgentMetrics {
  private readonly registry = new Registry();
  private readonly events = new Counter({
    name: "duello_agent_events_total",
    help: "Entries of the log.",
    labelNames: ["event"],
    registers: [this.registry],
  });

  /** Counts an entry of the log. */
  count(event: string): void {
    this.events.inc({ event });
  }

  /** Adds a gauge that is read on each request. */
  gauge(name: string, help: string, read: () => number): void {
    new Gauge({
      name: `duello_agent_${name}`,
      help,
      registers: [this.registry],
      collect() {
        this.set(read());
      },
    });
  }

  /** Serves the counts and the problems. @returns the server. @throws Error if the port is taken */
  async serve(address: Address, problems: Problems): Promise<Server> {
    const server = monitoringServer(this.registry, problems);
    await listenAt(server, address, (free) => `--metrics ${address.host}:${free}`);
    return server;
  }
}
