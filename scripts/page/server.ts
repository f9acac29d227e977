import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { extname } from "node:path";
import { gzipSync } from "node:zlib";
import { localRefusal } from "../../cli/shared/server/local-requests.js";
import { listenOn, urlOfServer } from "../../cli/shared/server/port.js";
import type { Site } from "./site.js";

const TYPES: Readonly<Record<string, string>> = {
  ".css": "text/css; charset=utf-8",
  ".gif": "image/gif",
  ".html": "text/html; charset=utf-8",
  ".ico": "image/x-icon",
  ".js": "text/javascript; charset=utf-8",
  ".json": "application/json",
  ".png": "image/png",
  ".svg": "image/svg+xml",
  ".txt": "text/plain; charset=utf-8",
  ".wasm": "application/wasm",
  ".webmanifest": "application/manifest+json",
  ".woff2": "font/woff2",
};

/** Kinds of files that compression makes smaller. */
const COMPRESSIBLE = [".css", ".html", ".js", ".json", ".svg", ".txt", ".wasm", ".webmanifest"];

/** Serves a site, such as the page, from memory on a port of 127.0.0.1: a later build does not change what is served. */
export class PageServer {
  private site?: Site;
  /** Compressed files, by their content, so that each is compressed only once. */
  private readonly compressed = new WeakMap<Buffer, Buffer>();

  private constructor(
    private readonly server: Server,
    /** Sentence for visitors who come before the site is ready. */
    private readonly notReady: string,
  ) {
    server.on("request", (request, response) => this.answer(request, response));
  }

  /**
   * Takes the port, without serving anything yet.
   * @param port 0 for any free one.
   * @param option Option that the error names if the port is taken.
   * @param notReady Sentence for visitors who come before the site is ready.
   * @throws Error if the port is taken.
   */
  static async listen(port: number, option: string, notReady = "The page is not ready yet."): Promise<PageServer> {
    const server = createServer();
    await listenOn(server, port, option);
    return new PageServer(server, notReady);
  }

  /** Address of the site. */
  get url(): string {
    return `${urlOfServer(this.server)}/`;
  }

  /** True if there is a site to serve. */
  get isReady(): boolean {
    return this.site !== undefined;
  }

  /** Serves a site from now on. */
  show(site: Site): void {
    this.site = site;
  }

  /** Stops, even if browsers keep connections open. */
  close(): void {
    this.server.close();
    this.server.closeAllConnections();
  }

  private answer({ method, url = "/", headers }: IncomingMessage, response: ServerResponse): void {
    const refuse = (status: number, text: string, headers = {}) =>
      response.writeHead(status, { "Content-Type": TYPES[".txt"], ...headers }).end(`${text}\n`);
    response.setHeader("X-Content-Type-Options", "nosniff");
    response.setHeader("Referrer-Policy", "no-referrer");
    const refusal = localRefusal(headers);
    if (refusal !== undefined) return void refuse(403, refusal);
    // Browsers then ask again on their own.
    if (!this.site) return void refuse(503, this.notReady, { "Retry-After": "1", Refresh: "2" });
    response.setHeader("Content-Security-Policy", this.site.header);
    if (method !== "GET" && method !== "HEAD") return void refuse(405, "Not allowed.", { Allow: "GET, HEAD" });
    const path = url.split("?", 1)[0].slice(1);
    const asked = path === "" || path.endsWith("/") ? `${path}index.html` : path;
    const isFound = this.site.files.has(asked);
    const name = isFound ? asked : "404.html";
    const file = this.site.files.get(name);
    if (!file) return void refuse(404, "Not found.");
    const extension = extname(name);
    const isCompressed = COMPRESSIBLE.includes(extension) && takesGzip(headers["accept-encoding"]);
    const content = isCompressed ? this.compress(file) : file;
    response.writeHead(isFound ? 200 : 404, {
      "Content-Type": TYPES[extension] ?? "application/octet-stream",
      "Content-Length": content.length,
      ...(isCompressed && { "Content-Encoding": "gzip" }),
      Vary: "Accept-Encoding",
      // Names of files in assets/ contain the hashes of their contents.
      "Cache-Control": name.startsWith("assets/") ? "public, max-age=31536000, immutable" : "no-cache",
    });
    response.end(content);
  }
  private compress(file: Buffer): Buffer {
    const content = this.compressed.get(file) ?? gzipSync(file);
    this.compressed.set(file, content);
    return content;
  }
}

/** Returns whether a client accepts gzip, by its Accept-Encoding header. */
function takesGzip(accepted: string | string[] | undefined): boolean {
  const codings = String(accepted ?? "").split(",");
  return codings.some((coding) => /^\s*gzip\s*(?:;\s*q=(?!0(?:\.0*)?\s*$).*)?$/i.test(coding));
}
