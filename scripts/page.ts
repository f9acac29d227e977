/** Runs `npm run page`: builds the page with the existing deployments, and serves it. */
import { parseArgs } from "node:util";
import { loadGames } from "../cli/shared/command/games.js";
import { isHelped } from "../cli/shared/command/program.js";
import { httpUrl } from "../cli/shared/node/networks.js";
import { explain } from "../sdk/player/errors.js";
import { oneLine } from "../sdk/protocol/input.js";
import { PAGE_PORT, portOf } from "../cli/shared/server/port.js";
import { buildPage, DIST, OWN_DIST } from "./page/build.js";
import { pageDeployments } from "./page/deployments.js";
import { ownGames } from "./page/own-games.js";
import { PageServer } from "./page/server.js";
import { siteOf, writeSite } from "./page/site.js";

const HELP = `Usage: npm run page -- [options]

Build the web page with all deployments in deployments/, and serve it until Ctrl-C or SIGTERM.

Options:
  --port <number>  port on 127.0.0.1 (default: ${PAGE_PORT})
  --rpc <url>      a node that the page may ask, repeated for several; those of the deployment files and of
                   deployments/networks.json are added
  --index <url>    an index from which the page reads history and rankings, in place of the one that the deployment
                   file names; a path is on the page's own host; repeated for several chains
  --games <file>   a module that exports games of your own list, to show behind the stock games (default: DUELLO_GAMES)
  --chain <id>     put in the deployment on this chain only, repeated for several
  --build          only build it into page/dist, or with --games into page/dist-own, for any static host
  -h, --help       display this help`;

try {
  if (!isHelped(process.argv, HELP)) {
    const options = {
      build: { type: "boolean", default: false },
      chain: { type: "string", multiple: true },
      games: { type: "string" },
      index: { type: "string", multiple: true },
      port: { type: "string", default: String(PAGE_PORT) },
      rpc: { type: "string", multiple: true },
    } as const;
    const { build, chain, games, index, port: written, rpc } = parseArgs({ options }).values;
    const port = portOf("--port", written);
    const own = ownGames(await loadGames(games), games);
    const deployments = await pageDeployments(
      (rpc ?? []).map((url) => httpUrl(url, "--rpc")),
      chain,
      index,
    );
    const folder = own ? OWN_DIST : DIST;
    await buildPage(folder, own);
    const site = await siteOf(deployments, folder);
    if (build) {
      await writeSite(site, folder);
      console.log(`The page is in ${folder}. A host that sets headers should send this one with every file:`);
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
