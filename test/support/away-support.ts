import { once } from "node:events";
import { mkdtemp } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { relayedMatch } from "../../cli/relay/program.js";
import { Relay } from "../../cli/relay/relay.js";
import { urlOf } from "../../scripts/local-chain.js";
import type { PlayWorld } from "./play-support.js";

/** Starts a relay in this process, with an archive of its own. @param folder Its archive; defaults to a new one. */
export async function startRelay({ folder: home, addresses, arena }: PlayWorld, folder?: string): Promise<Relay> {
  return Relay.start({
    chainId: 31_337n,
    arena: addresses.Arena,
    folder: folder ?? (await mkdtemp(join(home, "relay-"))),
    port: 0,
    readMatch: (matchId) => relayedMatch(arena, matchId),
  });
}

/**
 * What becomes of a request to a relay: it is passed on, the line is cut before or after the relay has it, nothing ever
 * comes back, or the given text does.
 */
export type Fate = "pass" | "cut" | "cut after" | "stall" | { body: string };

/** Starts a line to a relay that fails as it is told. @param fate Decides on a request, by its method and path. */
export async function lineTo(url: string, fate: (method: string, path: string) => Fate) {
  const server = createServer((request, response) => {
    const { method = "GET", url: path = "/" } = request;
    const asked = fate(method, path);
    void buffer(request)
      .then(async (body) => {
        if (asked === "cut") return void request.socket.destroy();
        if (asked === "stall") return;
        if (typeof asked === "object") return void response.writeHead(200).end(asked.body);
        const headers = { "content-type": "application/json" };
        const sent = method === "PUT" ? { method, body: new Uint8Array(body), headers } : { method };
        const answer = await fetch(`${url}${path}`, sent);
        const text = await answer.text();
        if (asked === "cut after") return void request.socket.destroy();
        response.writeHead(answer.status, headers).end(text);
      })
      .catch(() => request.socket.destroy());
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
