/** `npm run page`: builds the page with the deployments that there are, and serves it. */
import { parseArgs } from "node:util";
import { isHelped } from "../cli/shared/program.js";
import { httpUrl } from "../cli/shared/networks.js";
import { explain } from "../sdk/player/errors.js";
import { oneLine } from "../sdk/protocol/input.js";
import { portOf } from "../cli/shared/port.js";
import { buildPage, DIST } from "./page/build.js";
import { pageDeployments } from "./page/deployments.js";
import { PageServer } from "./page/server.js";
import { siteOf, writeSite } from "./page/site.js";

const HELP = `Usage: npm run page -- [options]

Build the web page with all deployments in deployments/, and serve it until Ctrl-C or SIGTERM.

Options:
  --port <number>  port on 127.0.0.1 (default: 8080)
  --rpc <url>      a node that the page may ask, repeated for several; those of the deployment files and of
                   deployments/networks.json are added
  --index <url>    an index from which the page reads history and rankings, in place of the one that the deployment
                   file names; a path is on the page's own host; repeated for several chains
  --chain <id>     put in the deployment on this chain only, repeated for several
  --build          only build it into page/dist, for any static host
  -h, --help       display this help`;

try {
  if (!isHelped(process.argv, HELP)) {
    const options = {
      build: { type: "boolean", default: false },
      chain: { type: "string", multiple: true },
      index: { type: "string", multiple: true },
      port: { type: "string", default: "8080" },
      rpc: { type: "string", multiple: true },
    } as const;
    const { build, chain, index, port: written, rpc } = parseArgs({ options }).values;
    const port = portOf("--port", written);
    const deployments = await pageDeployments(
      (rpc ?? []).map((url) => httpUrl(url, "--rpc")),
      chain,
      index,
    );
    await buildPage();
    const site = await siteOf(deployments);
    if (build) {
      await writeSite(site);
      console.log(`The page is in ${DIST}. A host that sets headers should send this one with every file:`);
      console.log(`Content-Security-Policy: ${site.header}`);
    } else {
      const server = await PageServer.listen(port, "npm run page -- --port");
      for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => server.close());
      server.show(site);
      console.log(`The page is at ${server.url} until you stop it with Ctrl-C.`);
    }
  }
} catch (error) {
  console.error(oneLine(explain(error)));
  process.exitCode = 1;
}
