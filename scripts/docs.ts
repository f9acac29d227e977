/** Runs `npm run docs`: builds the manual as a static site. */
import { parseArgs } from "node:util";
import { isHelped } from "../cli/shared/command/program.js";
import { MANUAL_PORT, portOf } from "../cli/shared/server/port.js";
import { explain } from "../sdk/player/errors.js";
import { InputError, oneLine } from "../sdk/protocol/input.js";
import { buildManual, buildManualIfChanged, HOSTED_MANUAL, MANUAL } from "./manual/build.js";
import { manualSite } from "./manual/site.js";
import { PageServer } from "./page/server.js";

const HELP = `Usage: npm run docs -- [options]

Build the manual as a static site into manual/dist, or with --base or --also into manual/dist-hosted, for any static
host.

Options:
  --base <path>         path of the site on its host, such as /manual/ (default: /)
  --also <version=url>  another version of the manual, which the site lists, repeated for several
  --serve               serve the site until Ctrl-C or SIGTERM; needs --base /
  --port <number>       port on 127.0.0.1 (default: ${MANUAL_PORT})
  -h, --help            display this help`;

try {
  if (!isHelped(process.argv, HELP)) {
    const options = {
      also: { type: "string", multiple: true },
      base: { type: "string", default: "/" },
      port: { type: "string", default: String(MANUAL_PORT) },
      serve: { type: "boolean", default: false },
    } as const;
    const { also = [], base: path, port: written, serve } = parseArgs({ options }).values;
    const port = portOf("--port", written);
    const base = baseOf(path);
    const others = also.map(otherOf);
    if (serve && base !== "/") throw new InputError("--serve", "it serves a site only at the path /");
    const isHosted = base !== "/" || others.length > 0;
    const folder = isHosted ? HOSTED_MANUAL : MANUAL;
    await (isHosted ? buildManual(folder, { base, others }) : buildManualIfChanged());
    const site = await manualSite(folder);
    if (serve) {
      const server = await PageServer.listen(port, "npm run docs -- --port");
      for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => server.close());
      server.show(site);
      console.log(`The manual is at ${server.url} until you stop it with Ctrl-C.`);
    } else {
      console.log(`The manual is in ${folder}, for the path ${base} of a host. A host that sets headers should send`);
      console.log("this one with every file:");
      console.log(`Content-Security-Policy: ${site.header}`);
    }
  }
} catch (error) {
  console.error(oneLine(explain(error), Infinity));
  process.exitCode = 1;
}

/** Reads the path of a site. @throws InputError if it is not an absolute path of plain characters. */
function baseOf(path: string): string {
  const base = `/${path.replace(/^\/|\/$/g, "")}/`.replace("//", "/");
  if (!/^\/(?:[\w~.-]+\/)*$/.test(base)) throw new InputError("--base", `${path} is not a path such as /manual/`);
  return base;
}

/** Reads another version and its address. @throws InputError */
function otherOf(written: string): { text: string; link: string } {
  const [, text, link] = /^([\w.-]+)=(https?:\/\/[^\s"'<>]+)$/.exec(written) ?? [];
  if (URL.parse(link ?? "") === null)
    throw new InputError("--also", `${written} is not like 0.1.0=https://host/0.1.0/`);
  return { text, link };
}
