import type { BlockList, Socket } from "node:net";
import { clientOf, isIn } from "./client-address.js";

/** Bounds of connections. */
export interface ConnectionLimits {
  /** Maximum number of connections at once. */
  connections: number;
  /**
   * Maximum connections per client. For a trusted proxy the limit is on the parallel requests of its clients instead.
   */
  clientConnections: number;
}

/** Connections of clients. If there are too many, the one that has been idle for longest is closed. */
export class Connections {
  /** Each connection with all connections of its client; the least recently used one comes first. */
  private readonly all = new Map<Socket, Set<Socket>>();
  private readonly byClient = new Map<string, Set<Socket>>();
  private readonly busy = new WeakSet<Socket>();

  /**
   * @param onClose Called for each connection that is closed to make room.
   * @param free Clients without a limit of their own.
   */
  constructor(
    private readonly limits: ConnectionLimits,
    private readonly proxies: BlockList,
    private readonly onClose: () => void,
    private readonly free: ReadonlySet<string> = new Set(),
  ) {}

  /** Number of connections. */
  get count(): number {
    return this.all.size;
  }

  /** Counts a new connection until the connection closes. */
  add(socket: Socket): void {
    const { connections, clientConnections } = this.limits;
    const { remoteAddress: peer } = socket;
    // The connection was closed before it was counted.
    if (peer === undefined) return void socket.destroy();
    const client = clientOf(peer, "", this.proxies);
    const own = this.byClient.get(client) ?? new Set();
    this.byClient.set(client, own);
    own.add(socket);
    this.all.set(socket, own);
    socket.once("close", () => {
      this.remove(socket);
      if (own.size === 0 && this.byClient.get(client) === own) this.byClient.delete(client);
    });
    const isFree = isIn(this.proxies, peer) || this.free.has(client);
    if (!isFree && own.size > clientConnections) this.closeIdle(own.keys());
    if (this.all.size > connections) this.closeIdle(this.all.keys());
  }

  /** Records that a request has arrived. @returns false if the previous one is not answered yet. */
  begin(socket: Socket): boolean {
    if (this.busy.has(socket)) return false;
    this.busy.add(socket);
    return true;
  }

  /** Records that the request of a connection is over. */
  end(socket: Socket): void {
    this.busy.delete(socket);
    const own = this.all.get(socket);
    if (!own) return;
    // This connection is now the most recently used one.
    this.remove(socket);
    own.add(socket);
    this.all.set(socket, own);
  }

  /** Closes the first connection without a request, which may be the newest connection. */
  private closeIdle(sockets: Iterable<Socket>): void {
    for (const socket of sockets) {
      if (this.busy.has(socket)) continue;
      this.remove(socket);
      socket.destroy();
      return this.onClose();
    }
  }

  private remove(socket: Socket): void {
    this.all.get(socket)?.delete(socket);
    this.all.delete(socket);
  }
}
