import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { createServer, type Server } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { expect } from "chai";
import { isAddress } from "ethers";
import { HOST, PORT } from "../scripts/local-chain.js";

const TSX = fileURLToPath(import.meta.resolve("tsx/cli"));
const URL_OF_CHAIN = `http://${HOST}:${PORT}`;
const TRIES = 10;
const PATIENCE = 3000;

interface Ended {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** A running start script: its output so far, and its end. */
interface Running {
  child: ChildProcess;
  text: () => string;
  ended: Promise<Ended>;
}

describe("npm start", function () {
  this.timeout(120_000);
  const children: ChildProcess[] = [];

  afterEach(() => {
    // Each child leads a group of its own: this reaches what it started, and nothing else.
    for (const { pid, exitCode, signalCode } of children.splice(0)) {
      if (exitCode === null && signalCode === null) process.kill(-pid!, "SIGKILL");
    }
  });

  function start(...args: string[]): Running {
    const env = { ...process.env, NO_COLOR: "1" };
    const child = spawn(process.execPath, [TSX, "scripts/start.ts", ...args], { env, detached: true });
    children.push(child);
    let [stdout, stderr] = ["", ""];
    child.stdout.setEncoding("utf8").on("data", (text: string) => (stdout += text));
    child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text));
    const ended = once(child, "close").then(([code]) => ({ code: code as number | null, stdout, stderr }));
    return { child, text: () => stdout, ended };
  }

  /** Starts once the port is free; again if somebody else was quicker. */
  async function startAlone(...args: string[]): Promise<Running> {
    for (let n = 0; n < TRIES; n++) {
      await (await occupied()).close();
      const running = start(...args);
      const quick = await Promise.race([running.ended, firstOutput(running)]);
      if (!quick?.stderr.includes("is taken")) return running;
    }
    throw new Error(`Port ${PORT} is never free.`);
  }

  async function firstOutput({ text }: Running): Promise<undefined> {
    while (text() === "") await pause(20);
  }

  /** A server of this test on the chain's port, as soon as nobody else has it. */
  async function occupied(): Promise<{ close: () => Promise<unknown> }> {
    for (let n = 0; n < TRIES; n++) {
      const server = await listening().catch(() => undefined);
      if (server) return { close: () => new Promise((resolve) => server.close(resolve)) };
      await pause(PATIENCE);
    }
    throw new Error(`Port ${PORT} is taken by somebody else: stop what listens there.`);
  }

  async function listening(): Promise<Server> {
    const server = createServer((socket) => socket.destroy());
    server.listen(PORT, HOST);
    await once(server, "listening");
    return server;
  }

  /** Nobody listens any more: the port can be had at once. */
  async function expectFree(): Promise<void> {
    const server = await listening();
    await new Promise((resolve) => server.close(resolve));
  }

  async function rpc(method: string, params: unknown[] = []): Promise<unknown> {
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
    const headers = { "content-type": "application/json" };
    const response = await fetch(URL_OF_CHAIN, { method: "POST", body, headers });
    return ((await response.json()) as { result: unknown }).result;
  }

  /** Addresses by the contract's name, as printed. */
  function addressesIn(text: string): Map<string, string> {
    const lines = [...text.matchAll(/^(\w+) +(0x[0-9a-fA-F]{40})$/gm)];
    return new Map(lines.map(([, name, address]) => [name, address]));
  }

  it("--once plays a match turn by turn, replays it and ends", async () => {
    const { code, stdout, stderr } = await (await startAlone("--once")).ended;
    expect([stderr, code]).to.deep.equal(["", 0]);
    const words = Number(/all (\d+) words are identical/.exec(stdout)?.[1]);
    const turns = stdout.match(/^ {2}.+ (hits|lands a combo on|lunges at) .+$/gm);
    expect(turns?.length, "a line for each word of the log").to.equal(words);
    expect(words).to.be.greaterThan(0);
    expect(stdout)
      .to.match(/^Round 1$/m)
      .and.to.match(/^(Alice|Bob) wins/m);
    const addresses = addressesIn(stdout);
    expect([...addresses.keys()]).to.include.members(["Arena", "FightToken", "Fighters", "AutoBattler"]);
    for (const address of addresses.values()) expect(isAddress(address)).to.equal(true);
    await expectFree();
  });

  it("stays up, answers JSON-RPC, and is stopped by SIGTERM", async () => {
    const running = await startAlone();
    while (!running.text().includes("Listening on")) {
      expect(running.child.exitCode, running.text()).to.equal(null);
      await pause(50);
    }
    expect(running.text()).to.include(URL_OF_CHAIN);
    expect(await rpc("eth_chainId")).to.equal("0x7a69");
    for (const [name, address] of addressesIn(running.text())) {
      expect(await rpc("eth_getCode", [address, "latest"]), name).to.match(/^0x6/);
    }
    expect(Number(await rpc("eth_blockNumber"))).to.be.greaterThan(5);
    running.child.kill("SIGTERM");
    const { stderr, code } = await running.ended;
    expect([stderr, code]).to.deep.equal(["", 0]);
    await expectFree();
  });

  it("says in one line that the port is taken, and starts nothing", async () => {
    const other = await occupied();
    const { code, stdout, stderr } = await start("--once").ended;
    await other.close();
    expect(stderr).to.match(/^Port 8545 of 127\.0\.0\.1 is taken.*\n$/);
    expect([stdout, code]).to.deep.equal(["", 1]);
    await expectFree();
  });

  for (const args of [["--twice"], ["now"]]) {
    it(`refuses ${args.join(" ")} in one line`, async () => {
      const { code, stdout, stderr } = await start(...args).ended;
      expect(stderr)
        .to.match(/^[^\n]+\n$/)
        .and.to.include(args[0]);
      expect([stdout, code]).to.deep.equal(["", 1]);
    });
  }
});
