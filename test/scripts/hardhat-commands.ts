import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "chai";
import type { Deployment } from "../../sdk/chain/deployment.js";
import { HARDHAT, hasAnvil, TestNode } from "../support/deploy-support.js";
import type { Ended } from "../support/running.js";

describe("A standard Hardhat command", () => {
  let folder: string;
  let node: TestNode;

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), "duello-"));
    // A test must not install or build anything.
    const npm = '#!/bin/sh\ntest "$*" = "run -s predeploy" || { echo "npm $*" && exit 3; }\n';
    writeFileSync(join(folder, "npm"), npm, { mode: 0o755 });
    node = await TestNode.start(hasAnvil() ? "anvil" : "hardhat node");
  });
  after(async () => {
    await node.stop();
    rmSync(folder, { recursive: true });
  });

  /** Runs Hardhat with a node named in the environment. */
  async function hardhat(...args: string[]): Promise<Ended> {
    return hardhatWith({ DUELLO_RPC_URL: node.url }, ...args);
  }

  async function hardhatWith(changes: NodeJS.ProcessEnv, ...args: string[]): Promise<Ended> {
    const env = { ...process.env, NO_COLOR: "1", DUELLO_DEPLOYMENTS: folder, ...changes };
    const PATH = `${folder}:${process.env.PATH}`;
    return new Promise((resolve) => {
      execFile(process.execPath, [HARDHAT, ...args], { env: { ...env, PATH } }, (error, stdout, stderr) => {
        resolve({ code: error ? Number(error.code) : 0, stdout, stderr });
      });
    });
  }

  const deployment = () => JSON.parse(readFileSync(join(folder, "31337.json"), "utf8")) as Deployment;

  it("deploys the module like `npm run deploy`, which then finds nothing left to deploy", async () => {
    const { stdout, ...ended } = await hardhat(
      ...["ignition", "deploy", "ignition/modules/Duello.ts", "--network", "localhost"],
    );
    expect(ended).to.deep.equal({ code: 0, stderr: "" });
    expect(stdout).to.match(/\nWritten down in .*31337\.json\n$/);
    const { addresses } = deployment();
    expect(await node.rpc("eth_getCode", addresses.Arena, "latest")).to.have.length.above(2);
    const again = await hardhat("run", "--no-compile", "scripts/deploy.ts", "--network", "localhost");
    expect([again.code, again.stderr]).to.deep.equal([0, ""]);
    expect(again.stdout).to.include("\nEverything stands: there is nothing to send.\n");
  });

  it("requires a named network, even if the environment names a node", async () => {
    for (const url of ["", "nowhere", "ws://127.0.0.1:1", "http://127.0.0.1:1,http://127.0.0.1:2"]) {
      const { code } = await hardhatWith({ DUELLO_RPC_URL: url }, "run", "--help");
      expect(code, url).to.equal(0);
    }
    const { code, stderr } = await hardhat("run", "--no-compile", "scripts/deploy.ts");
    expect([code, stderr]).to.deep.equal([1, "--network: left out; there are localhost, sepolia, baseSepolia\n"]);
  });

  it("runs the named test files, or `npm test` if no file is named", async () => {
    expect(await hardhat("test")).to.deep.equal({ code: 3, stdout: "npm test\n", stderr: "" });
    const { stdout } = await hardhat("test", "--no-compile", "test/sdk/protocol/dice.ts");
    expect(stdout).to.match(/\d+ passing/);
  });
});
