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

  it("keep an index that says what verify derives, beside each other, and end with it", async () => {
    const [port, first, second] = [await freePort(), await freePort(), await freePort()];
    const chain = run(
      "scripts/start.ts",
      ...["--index", "--index-port", String(first), "--game", "tic-tac-toe", "--no-page", "--no-agent"],
      ...["--port", String(port)],
    );
    await listens(chain);
    expect(chain.text()).to.include(`History and rankings: ${urlOf(first)}/graphql\n`);
    const rpc = ["--rpc", urlOf(port)];
    const other = run("indexer/main.ts", "--port", String(second), ...rpc);
    await says(other, "Everything up to block");
    const [head, ...places] = other.text().split("\n");
    expect(head).to.match(/^Index of chain 31337, arena 0x[0-9a-fA-F]{40}, until you stop it with Ctrl-C:$/);
    expect(places.slice(0, 4)).to.deep.equal([
      `  GraphQL   ${urlOf(second)}/graphql`,
      `  SQL       ${urlOf(second)}/sql`,
      `  health    ${urlOf(second)}/health`,
      `  ready     ${urlOf(second)}/ready`,
    ]);
    for (const index of [first, second]) {
      const { code, stdout } = await run("cli/verify/main.ts", "--all", ...rpc, "--index", urlOf(index)).ended;
      expect(stdout).to.match(/^Identical: 1 match\..*\n.*says the same: \d+ rows were compared\.\n$/);
      expect(code).to.equal(0);
    }
    for (const running of [other, chain]) {
      running.child.kill("SIGTERM");
      expect((await running.ended).code).to.equal(0);
    }
    for (const index of [first, second]) {
      const answer = await fetch(`${urlOf(index)}/health`).catch(() => undefined);
      expect(answer).to.equal(undefined);
    }
  });

  it("refuse in one line what cannot be", async () => {
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

/** Waits until a script has printed something. */
async function says({ child, text, errors }: Running, words: string): Promise<void> {
  while (!text().includes(words)) {
    if (child.exitCode !== null) throw new Error(`It ended: ${text()}${errors()}`);
    await pause(50);
  }
}
