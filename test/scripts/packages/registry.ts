import { createHash } from "node:crypto";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { ROOT } from "../../../scripts/document.js";

/** Another run may use the same port for other packs, so npm must not keep these answers. */
const HEADERS = { "content-type": "application/octet-stream", "cache-control": "no-store" };

const ELSEWHERE = "https://registry.npmjs.org";

/** Folders of the packages of this project, by name. */
const PACKAGES = { duello: "sdk", "duello-contracts": "contracts", "create-duello-game": "create" } as const;

/** A registry of npm that has the packed packages of this project, and redirects for all others. */
export class PackRegistry {
  private constructor(
    private readonly server: Server,
    /** Files by their paths. */
    private readonly files: ReadonlyMap<string, string | Buffer>,
  ) {
    server.on("request", ({ url = "" }, response) => {
      const file = this.files.get(decodeURIComponent(url));
      if (file === undefined) response.writeHead(302, { location: `${ELSEWHERE}${url}` }).end();
      else response.writeHead(200, HEADERS).end(file);
    });
  }

  /** @param packs Folder with the packs. */
  static async start(packs: string): Promise<PackRegistry> {
    const server = createServer();
    await once(server.listen(0, "127.0.0.1"), "listening");
    const url = urlOf(server);
    const files = new Map<string, string | Buffer>();
    for (const [name, folder] of Object.entries(PACKAGES)) {
      const text = readFileSync(join(ROOT, folder, "package.json"), "utf8");
      const manifest = JSON.parse(text) as { version: string };
      const { version } = manifest;
      const pack = readFileSync(join(packs, `${name}-${version}.tgz`));
      const integrity = `sha512-${createHash("sha512").update(pack).digest("base64")}`;
      const dist = { tarball: `${url}/${name}.tgz`, integrity };
      const listed = { name, "dist-tags": { latest: version }, versions: { [version]: { ...manifest, dist } } };
      files.set(`/${name}`, JSON.stringify(listed));
      files.set(`/${name}.tgz`, pack);
    }
    return new PackRegistry(server, files);
  }

  get url(): string {
    return urlOf(this.server);
  }

  close(): void {
    this.server.close();
    this.server.closeAllConnections();
  }
}

function urlOf(server: Server): string {
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
