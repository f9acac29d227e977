/** `npm start`: runs a local chain with the game, a program that plays it, and the page, until Ctrl-C or SIGTERM. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { addressesIn, openWorld } from "duello/laws";
import { build } from "esbuild";
import hre from "hardhat";
import { brink } from "../src/brink.js";

const HOST = "127.0.0.1";
/** Ports of the chain and of the page; 0 for any free one. */
const [CHAIN_PORT, PAGE_PORT] = [process.env.CHAIN_PORT ?? "8545", process.env.PAGE_PORT ?? "8080"].map(Number);
/** Number of the program's account, which is bob of the world. Alice, before it, plays on the page. */
const PROGRAM = 3;

const chain = await hre.network.createServer("default", HOST, CHAIN_PORT);
const rpc = `http://${HOST}:${(await chain.listen()).port}`;
const connection = await hre.network.create({ network: "localhost", override: { url: rpc } });
const world = await openWorld(connection);
const game = await connection.ethers.deployContract(brink.contract, [await world.arena.getAddress()]);
const addresses = { ...(await addressesIn(world)), [brink.contract]: await game.getAddress() };
const deployment = JSON.stringify({ chainId: 31337, block: 0, addresses, agents: [world.bob.address], rpc });
await mkdir("deployments", { recursive: true });
await writeFile("deployments/31337.json", deployment);

const { outputFiles } = await build({
  entryPoints: ["page/main.tsx"],
  bundle: true,
  format: "esm",
  target: "es2023",
  write: false,
});
const files: Record<string, readonly [type: string, content: string]> = {
  "/": ["text/html", await readFile("page/index.html", "utf8")],
  "/main.js": ["text/javascript", outputFiles[0].text],
  "/deployment.json": ["application/json", deployment],
};
const server = createServer(({ url = "" }, response) => {
  const [type, content] = Object.hasOwn(files, url) ? files[url] : ["text/plain", "Not found"];
  response.writeHead(Object.hasOwn(files, url) ? 200 : 404, { "content-type": `${type}; charset=utf-8` }).end(content);
});
await once(server.listen(PAGE_PORT, HOST), "listening");

// A chain that starts again has the same matches with other moves, so the program keeps nothing.
const home = await mkdtemp(join(tmpdir(), "duello-"));
const options = ["--account", String(PROGRAM), "--config", "agent.json", "--games", "src/brink.ts", "--rpc", rpc];
const program = spawn("duello", ["agent", ...options], {
  stdio: "inherit",
  env: { ...process.env, DUELLO_HOME: home },
});
const ended = once(program, "exit");
for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => program.kill());
console.log(`Play in a browser: http://${HOST}:${(server.address() as AddressInfo).port}`);

await ended;
server.close();
server.closeAllConnections();
await connection.close();
await chain.close();
await rm(home, { recursive: true });
