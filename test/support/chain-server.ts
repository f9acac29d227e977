import { subscribe } from "node:diagnostics_channel";
import type { Server } from "node:http";
import type { Socket } from "node:net";
import type { JsonRpcServer } from "hardhat/types/network";

/** Servers by port, found through their requests, because Hardhat does not expose its servers. */
const servers = new Map<number, Server>();
subscribe("http.server.request.start", (message) => {
  const { socket, server } = message as { socket: Socket; server: Server };
  servers.set(socket.localPort!, server);
});

/** Ends the server of a chain. A client that polls it would keep a connection open for ever. */
export async function endServer(server: JsonRpcServer, port: number): Promise<void> {
  const closed = server.close();
  servers.get(port)?.closeAllConnections();
  await closed;
}
