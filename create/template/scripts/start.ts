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
/** Account of the program, which is bob of the world. Alice, the account before it, plays on the page. */
const PROGRAM = 3;

// Hardhat's server reports a port that is taken by an event that no caller can catch.
process.once("uncaughtException", ({ message }) => {
  console.error(`${message} (CHAIN_PORT and PAGE_PORT set other ports)`);
  process.exit(1);
});
await start();

async function start(): Promise<void> {
  const chain = await hre.network.createServer("default", HOST, CHAIN_PORT);
  const rpc = `http://${HOST}:${(await chain.listen()).port}`;
  const deployment = await deploy(rpc);
  const page = await servePage(deployment);
  const program = await startProgram(rpc);
  for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => program.stop());
  console.log(`Play in a browser: http://${HOST}:${(page.address() as AddressInfo).port}`);
  await program.ended;
  page.close();
  page.closeAllConnections();
  await chain.close();
}

/** Deploys the arena, its tokens and the game, and fills the players' purses. @returns the deployment file's content. */
async function deploy(rpc: string): Promise<string> {
  const connection = await hre.network.create({ network: "localhost", override: { url: rpc } });
  const world = await openWorld(connection);
  const game = await connection.ethers.deployContract(brink.contract, [await world.arena.getAddress()]);
  const addresses = { ...(await addressesIn(world)), [brink.contract]: await game.getAddress() };
  await connection.close();
  const deployment = JSON.stringify({ chainId: 31337, block: 0, addresses, agents: [world.bob.address], rpc });
  await mkdir("deployments", { recursive: true });
  await writeFile("deployments/31337.json", deployment);
  return deployment;
}

/** Bundles the page, and serves it from memory. */
async function servePage(deployment: string) {
  const { outputFiles } = await build({
    entryPoints: ["page/main.tsx"],
    bundle: true,
    format: "esm",
    target: "es2023",
    write: false,
  });
  const files = new Map([
    ["/", ["text/html", await readFile("page/index.html", "utf8")]],
    ["/main.js", ["text/javascript", outputFiles[0].text]],
    ["/deployment.json", ["application/json", deployment]],
  ]);
  const server = createServer(({ url = "" }, response) => {
    const [type, content] = files.get(url) ?? ["text/plain", "Not found"];
    response.writeHead(files.has(url) ? 200 : 404, { "content-type": `${type}; charset=utf-8` }).end(content);
  });
  await once(server.listen(PAGE_PORT, HOST), "listening");
  return server;
}

/** Starts the agent of the package `duello`. A new chain has other matches, so the agent keeps nothing. */
async function startProgram(rpc: string) {
  const home = await mkdtemp(join(tmpdir(), "duello-"));
  const options = ["--account", String(PROGRAM), "--config", "agent.json", "--games", "src/brink.ts", "--rpc", rpc];
  const env = { ...process.env, DUELLO_HOME: home };
  const child = spawn("duello", ["agent", ...options], { stdio: "inherit", env });
  const ended = once(child, "exit").then(() => rm(home, { recursive: true }));
  return { stop: () => child.kill(), ended };
}
