import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { expect } from "chai";
import { dataSlice, getAddress } from "ethers";
import { requireFactory, requireFree } from "../../scripts/deploy/create2.js";
import type { Deployment } from "../../sdk/chain/deployment.js";
import { games } from "../../sdk/games/index.js";
import { contractsWith } from "../../sdk/games/list.js";
import {
  deploy,
  DEPLOYER,
  DEPLOYER_KEY,
  expectDone,
  expectRefused,
  MODES,
  TestNode,
} from "../support/deploy-support.js";

const CREATE_X = "0xba5Ed099633D3B313e4D5F7bdc1305d3c28ba5Ed";
const OTHER = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";
/** Contracts that depend on no other contract, which the first transactions create. */
const FIRST = 4;
const gasOf = (written: string) => Number(written.replaceAll(",", ""));
const COUNT = contractsWith(games).length + MODES.length;

describe("npm run deploy -- --create2", () => {
  const folder = mkdtempSync(join(tmpdir(), "duello-"));
  let local: TestNode;
  let rollup: TestNode;
  let addresses: Deployment["addresses"];

  before(async () => {
    local = await TestNode.start("hardhat node");
    rollup = await TestNode.start("hardhat node", "--chain-id", "84532");
  });
  after(async () => {
    await Promise.all([local?.stop(), rollup?.stop()]);
    rmSync(folder, { recursive: true });
  });

  const toLocal = async (...args: string[]) =>
    deploy(folder, ["--network", "localhost", "--url", local.url, ...args]).ended;
  const startRollup = (...args: string[]) =>
    deploy(folder, ["--network", "baseSepolia", "--url", rollup.url, "--yes", ...args], {
      DUELLO_DEPLOYER_KEY: DEPLOYER_KEY,
    });
  const toRollup = async (...args: string[]) => startRollup(...args).ended;
  const written = (chainId: number) => JSON.parse(readFileSync(join(folder, `${chainId}.json`), "utf8")) as Deployment;

  it("deploys the factory on a local chain, prints the addresses first, and sends nothing when repeated", async () => {
    const run = await toLocal("--create2", "v1");
    expectDone(run);
    ({ addresses } = written(31337));
    expect(Object.keys(addresses)).to.deep.equal(contractsWith(games));
    for (const [name, address] of Object.entries(addresses)) {
      expect(run.stdout).to.match(new RegExp(`^${name} +will stand at ${address}$`, "m"));
    }
    // The limit that docs/chains.md states.
    const largest = Math.max(
      ...[...run.stdout.matchAll(/^(?!Total)\w+ +([\d,]+) gas$/gm)].map(([, gas]) => gasOf(gas)),
    );
    expect(largest).to.be.within(9_000_000, 9_700_000);
    expectDone(await toLocal("--create2", "v1"));
    expect(await local.nonce()).to.equal(COUNT);
  });

  it("rejects a name that would change the addresses of deployed contracts", async () => {
    const { Arena } = addresses;
    expectRefused(await toLocal("--create2", "v2"), new RegExp(`^--create2: Arena stands at ${Arena}; by this name`));
    expect(await local.nonce()).to.equal(COUNT);
  });

  it("uses the same addresses on another chain, with any nonce of the deployer, even after an interruption", async () => {
    await rollup.rpc("hardhat_setCode", CREATE_X, await local.rpc("eth_getCode", CREATE_X, "latest"));
    await rollup.rpc("hardhat_setNonce", DEPLOYER, "0x7");
    // Ignition waits until an account's earlier transactions are confirmed.
    await rollup.rpc("hardhat_mine", "0x9");

    await rollup.rpc("evm_setAutomine", false);
    const { child, ended } = startRollup("--create2", "v1");
    const journal = join(folder, "ignition", "deployments", "chain-84532", "journal.jsonl");
    const sent = () => (existsSync(journal) ? readFileSync(journal, "utf8").split('"TRANSACTION_SEND"').length - 1 : 0);
    while (sent() < FIRST && child.exitCode === null) await pause(10);
    child.kill("SIGKILL");
    await ended;
    await rollup.rpc("hardhat_mine", "0x9");
    await rollup.rpc("evm_setAutomine", true);
    expectRefused(await toRollup(), /^--create2: earlier runs of this deployment used it/);
    expect(await rollup.nonce()).to.equal(7 + FIRST);

    const resumed = await toRollup("--create2", "v1");
    expectDone(resumed);
    expect(resumed.stdout).to.match(/^Arena +is sent already$/m);
    expect(await rollup.nonce()).to.equal(7 + COUNT);
    expect(written(84532).addresses).to.deep.equal(addresses);

    const requests = readFileSync(journal, "utf8")
      .split("\n")
      .filter((line) => line.includes("INTERACTION_REQUEST"));
    const { networkInteraction } = JSON.parse(requests[0]) as { networkInteraction: { to: string; data: string } };
    const { to, data } = networkInteraction;
    // Another sender cannot occupy an address with the same transaction.
    const taken = (await rollup.rpc("eth_call", { from: OTHER, to, data }, "latest")) as string;
    expect(Object.values(addresses)).to.not.include(getAddress(dataSlice(taken, 12)));
  });
});

describe("The CREATE2 factory of the chain", () => {
  const chain = (code: string) => ({ getCode: async () => code });

  it("may be missing on a local chain, because Ignition deploys it there", async () => {
    expect(await requireFactory(chain("0x"), 31337)).to.equal(false);
  });

  it("is rejected if it is missing on another chain, or if its code differs", async () => {
    for (const [code, chainId, problem] of [
      ["0x", 84532, "no contract"],
      ["0x00", 31337, "other code"],
    ] as const) {
      const refusal = await requireFactory(chain(code), chainId).catch((error: unknown) => error);
      expect((refusal as Error).message).to.match(
        new RegExp(`^--create2: chain ${chainId} has ${problem} at ${CREATE_X}, `),
      );
    }
  });

  it("is not used for a name that already has contracts on the chain, but no journal", async () => {
    const journal = { addresses: {}, underway: [], calls: [], isEmpty: true, isCreate2: false };
    const planned = { Arena: OTHER };
    await requireFree(chain("0x"), journal, planned);
    await requireFree(chain("0x60"), { ...journal, isEmpty: false }, planned);
    const refusal = await requireFree(chain("0x60"), journal, planned).catch((error: unknown) => error);
    expect((refusal as Error).message).to.match(new RegExp(`^--create2: the arena of this name stands at ${OTHER}, `));
  });
});
