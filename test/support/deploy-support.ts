import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { expect } from "chai";
import hre from "hardhat";
import { createHardhatRuntimeEnvironment } from "hardhat/hre";
import { deploy as deployHere } from "../../scripts/deploy/program.js";
import { games } from "../../sdk/games/index.js";
import { modesToRegister } from "../../sdk/games/modes.js";
import { endServer } from "./chain-server.js";
import { runInside } from "./inside.js";
import { freePort, runScript, type Ended, type Running } from "./running.js";

const HOST = "127.0.0.1";
/** Hardhat, as a script for Node. */
export const HARDHAT = join(dirname(fileURLToPath(import.meta.resolve("hardhat"))), "cli.js");
const anvilPackage = "@foundry-rs/anvil-linux-amd64/package.json";

/** The first account of both test chains. */
export const DEPLOYER = "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266";
export const DEPLOYER_KEY = "0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80";

/** The stock modes that a deployment registers, in one transaction each. */
export const MODES = games.flatMap(modesToRegister);

/** The command and arguments of each kind of chain, without the port. */
export const nodes = {
  "hardhat node": (): string[] => [process.execPath, HARDHAT, "node", "--hostname", HOST],
  anvil: (): string[] => [fileURLToPath(import.meta.resolve(anvilPackage)).replace("package.json", "bin/anvil")],
};

/** Returns true if anvil is installed. Its packages exist only for few platforms. */
export function hasAnvil(): boolean {
  try {
    return existsSync(nodes.anvil()[0]);
  } catch {
    return false;
  }
}

/** A chain on a free port. */
export class TestNode {
  private constructor(
    readonly url: string,
    readonly stop: () => Promise<void>,
  ) {}

  /** Starts a chain in a separate process. */
  static async start(kind: keyof typeof nodes, ...args: string[]): Promise<TestNode> {
    const port = await freePort();
    const [command, ...rest] = nodes[kind]();
    const child = spawn(command, [...rest, "--port", String(port), ...args], { stdio: "ignore" });
    const node = new TestNode(`http://${HOST}:${port}`, () => killed(child));
    while (!(await node.answers())) {
      if (child.exitCode !== null) throw new Error(`${kind} ended with code ${child.exitCode}.`);
      await pause(20);
    }
    return node;
  }

  /**
   * Starts `hardhat node` in this process.
   * @param chain Chain to use instead of the default.
   */
  static async inside({ chainType, chainId }: { chainType?: "op"; chainId?: number } = {}): Promise<TestNode> {
    // The node gets no artifacts, because reading all compiled sources for traces takes seconds.
    const { network } = await createHardhatRuntimeEnvironment({ paths: { artifacts: "cache/no-artifacts" } });
    const server = await network.createServer({ network: "node", chainType, override: { chainId } }, HOST);
    const { port } = await server.listen();
    return new TestNode(`http://${HOST}:${port}`, () => endServer(server, port));
  }

  async rpc(method: string, ...params: unknown[]): Promise<unknown> {
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
    const headers = { "content-type": "application/json" };
    const response = await fetch(this.url, { method: "POST", body, headers });
    const { result, error } = (await response.json()) as { result?: unknown; error?: { message: string } };
    if (error) throw new Error(`${method}: ${error.message}`);
    return result;
  }

  /** Returns the number of transactions that an account has sent, including pending ones. */
  async nonce(account = DEPLOYER): Promise<number> {
    return Number(await this.rpc("eth_getTransactionCount", account, "pending"));
  }

  private async answers(): Promise<boolean> {
    return this.rpc("eth_chainId").then(
      () => true,
      () => false,
    );
  }
}

async function killed(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, "exit");
  child.kill("SIGKILL");
  await ended;
}

/** Starts the command in a separate process, without a terminal, and with only the given keys. */
export function deploy(folder: string, args: string[], variables: NodeJS.ProcessEnv = {}): Running {
  return runScript("scripts/deploy.ts", args, { ...environmentIn(folder), ...variables });
}

/** Runs the command for a local chain to its end, in this process, because starting another takes longer. */
export function deployLocally(folder: string, url: string, ...args: string[]): Promise<Ended> {
  return runInside(async () => {
    const { paths } = hre.config;
    const { ignition } = paths;
    // Hardhat has read this path from the environment when it started, so it must be set directly.
    paths.ignition = join(folder, "ignition");
    try {
      return await deployHere(["--network", "localhost", "--url", url, ...args]);
    } finally {
      paths.ignition = ignition;
    }
  }, environmentIn(folder));
}

function environmentIn(folder: string): NodeJS.ProcessEnv {
  const none = { SEPOLIA_RPC_URL: undefined, BASE_SEPOLIA_RPC_URL: undefined, DUELLO_DEPLOYER_KEY: undefined };
  // An empty home has no keystore, which would ask for its password.
  return { ...none, HOME: folder, XDG_CONFIG_HOME: undefined, DUELLO_DEPLOYMENTS: folder };
}

/** Expects one matching line on stderr, and exit code 1. */
export function expectRefused({ code, stderr }: Ended, reason: RegExp): void {
  expect(stderr)
    .to.match(/^[^\n]+\n$/)
    .and.to.match(reason);
  expect(code).to.equal(1);
}

/** Expects nothing on stderr, and exit code 0. */
export function expectDone({ code, stderr }: Ended): void {
  expect([stderr, code]).to.deep.equal(["", 0]);
}
