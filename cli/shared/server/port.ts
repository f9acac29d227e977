import { once } from "node:events";
import { randomInt } from "node:crypto";
import { createServer, type AddressInfo, type Server } from "node:net";
import { InputError } from "../../../sdk/protocol/input.js";

/** Address on which servers for this machine listen. */
export const HOST = "127.0.0.1";

/**
 * Default ports of a local chain, the web page, the manual, a relay, the conformance kit's relay, an API server and an
 * index.
 */
export const CHAIN_PORT = 8545;
export const PAGE_PORT = 8080;
export const MANUAL_PORT = 8070;
export const RELAY_PORT = 8090;
export const KIT_RELAY_PORT = 8091;
export const API_PORT = 8100;
export const INDEX_PORT = 42_069;

/** Largest number of a port. */
const MAX_PORT = 65_535;

/** Reads the number of a port. @throws InputError if it is invalid. */
export function portOf(option: string, written: string): number {
  if (/^\d{1,5}$/.test(written) && Number(written) >= 1 && Number(written) <= MAX_PORT) return Number(written);
  throw new InputError(option, `${written} is not a port`);
}

/** Suggests another port if the given port is taken. */
function nextPort(port: number): number {
  return port === MAX_PORT ? port - 1 : port + 1;
}

/** Address at which a server listens. */
export interface Address {
  host: string;
  /** Port; 0 for any free one. */
  port: number;
}

/** Reads the name of a host and a port. @throws InputError */
export function addressOf(option: string, written: string): Address {
  const [, ipv6, name, port] = /^(?:\[([\da-f:]+)\]|([\w.-]+)):(\d+)$/i.exec(written) ?? [];
  if (port === undefined) throw new InputError(option, `${written} is no address such as 127.0.0.1:9464`);
  return { host: ipv6 ?? name, port: portOf(option, port) };
}

/** Returns the address at which a server listens. */
export function urlOfServer(server: Server): string {
  const { address, port, family } = server.address() as AddressInfo;
  return `http://${family === "IPv6" ? `[${address}]` : address}:${port}`;
}

/**
 * Makes a server listen on a port.
 * @param port 0 for any free one.
 * @param option Words that choose another port.
 * @param host Address to listen on; defaults to this machine's own.
 * @throws Error if the port is taken.
 */
export async function listenOn(server: Server, port: number, option: string, host = HOST): Promise<void> {
  await listenAt(server, { host, port }, (free) => `${option} ${free}`);
}

/** Makes a server listen. @param free Returns the option that names another port. @throws Error if the port is taken */
export async function listenAt(server: Server, { host, port }: Address, free: (port: number) => string): Promise<void> {
  server.listen(port, host);
  try {
    await once(server, "listening");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EADDRINUSE") throw error;
    const other = free(nextPort(port));
    throw new Error(`Port ${port} of ${host} is taken: stop what listens there, or choose another, e.g. ${other}.`, {
      cause: error,
    });
  }
}

/**
 * Finds a free port of 127.0.0.1, below the ports that systems assign to connections: a connection could take such a
 * port before it is used.
 */
export async function freePort(): Promise<number> {
  const port = randomInt(20_000, 32_768);
  const probe = createServer().listen(port, HOST);
  try {
    await once(probe, "listening");
  } catch {
    return freePort();
  }
  probe.close();
  await once(probe, "close");
  return port;
}
