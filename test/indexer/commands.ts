import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { expect } from "chai";
import { urlOf } from "../../scripts/local-chain.js";
import { freePort, listens, runScript, stopScripts, type Running } from "../support/running.js";

const NOTHING = { stdout: "", stderr: "" };

describe("npm start -- --index and npm run index", () => {
  let deployments: string;

  before(() => {
    deployments = mkdtempSync(join(tmpdir(), "duello-"));
  });

  after(() => {
    stopScripts();
    rmSync(deployments, { recursive: true });
  });

  const run = (script: string, ...args: string[]) => runScript(script, args, { DUELLO_DEPLOYMENTS: deployments });

  it("run indexes that pass `verify`, at the same time, and stop them when they end or are killed", async () => {
    const [port, first, second] = [await freePort(), await freePort(), await freePort()];
    const chain = run(
      "scripts/start.ts",
      ...["--index", "--index-port", String(first), "--game", "tic-tac-toe", "--no-page", "--no-agent"],
      ...["--port", String(port)],
    );
    await listens(chain);
    expect(chain.text()).to.include(`History and rankings: ${urlOf(first)}/graphql\n`);
    const rpc = ["--rpc", urlOf(port)];
    const other = run("indexer/main.ts", "--port", String(second), "--sql", ...rpc);
    await says(other, "Everything up to block");
    const [head, ...places] = other.text().split("\n");
    expect(head).to.match(/^Index of chain 31337, arena 0x[0-9a-fA-F]{40}, until you stop it with Ctrl-C:$/);
    expect(places.slice(0, 4)).to.deep.equal([
      `  GraphQL   ${urlOf(second)}/graphql`,
      `  health    ${urlOf(second)}/health`,
      `  ready     ${urlOf(second)}/ready`,
      `  SQL       ${urlOf(second)}/sql/db`,
    ]);
    for (const index of [first, second]) {
      const { code, stdout } = await run("cli/verify/main.ts", "--all", ...rpc, "--index", urlOf(index)).ended;
      expect(stdout).to.match(/^Identical: 1 match\..*\n.*says the same: \d+ rows were compared\.\n$/);
      expect(code).to.equal(0);
    }
    // An index whose port is taken reports that, and prints no address because it serves none.
    const late = await run("indexer/main.ts", "--port", String(second), ...rpc).ended;
    expect(late).to.deep.equal({
      code: 1,
      stdout: "",
      stderr: `Port ${second} of 127.0.0.1 is taken: stop what listens there, or choose another, e.g. --port ${second + 1}.\n`,
    });
    const pids = [other, chain].map(({ child }) => indexOf(child.pid!));
    other.child.kill("SIGTERM");
    expect((await other.ended).code).to.equal(0);
    chain.child.kill("SIGKILL");
    for (const pid of pids) while (isRunning(pid)) await pause(50);
    for (const index of [first, second]) {
      const answer = await fetch(`${urlOf(index)}/health`).catch(() => undefined);
      expect(answer).to.equal(undefined);
    }
  });

  it("reject invalid options in one line", async () => {
    const port = await freePort();
    for (const [args, error] of [
      [["--port", "0"], "--port: 0 is not a port"],
      [["--serve"], "--serve: DATABASE_URL names no Postgres that is shared"],
      [["--rpc", urlOf(port)], `--rpc: no chain answers at 127.0.0.1:${port}; npm start runs one on 127.0.0.1:8545`],
    ] as const) {
      expect(await run("indexer/main.ts", ...args).ended).to.deep.equal({ ...NOTHING, code: 2, stderr: `${error}\n` });
    }
  });
});

/** Finds the process of Ponder that another process has started. */
function indexOf(parent: number): number {
  const list = execFileSync("ps", ["-A", "-o", "pid=,ppid=,args="], { encoding: "utf8" });
  const [line] = list
    .split("\n")
    .filter((each) => each.trim().split(/ +/)[1] === String(parent) && /ponder\.js/.test(each));
  return Number(line.trim().split(" ")[0]);
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** Waits until a script has printed something. */
async function says({ child, text, errors }: Running, words: string): Promise<void> {
  while (!text().includes(words)) {
    if (child.exitCode !== null) throw new Error(`It ended: ${text()}${errors()}`);
    await pause(50);
  }
}
