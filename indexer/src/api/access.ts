import http, { type RequestListener } from "node:http";

/** Header in which the supervisor sends the key. */
export const KEY_HEADER = "x-index-key";

/**
 * Makes servers that are created from now on answer only requests with a key. Ponder serves `/metrics` and GraphQL to
 * every page in a browser on the machine, and has no option to restrict that.
 */
export function requireKey(key: string): void {
  const create = http.createServer as (options: http.ServerOptions, listener: RequestListener) => http.Server;
  const guarded: typeof create = (options, listener) =>
    create(options, (request, response) => {
      if (request.headers[KEY_HEADER] === key) listener(request, response);
      else response.writeHead(403).end();
    });
  http.createServer = guarded as typeof http.createServer;
}
