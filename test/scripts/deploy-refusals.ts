import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "chai";
import { id, parseEther, zeroPadValue } from "ethers";
import type { Deployment } from "../../sdk/chain/deployment.js";
import { games } from "../../sdk/games/index.js";
import { contractsWith } from "../../sdk/games/list.js";
import {
  deploy,
  deployLocally,
  DEPLOYER,
  DEPLOYER_KEY,
  expectDone,
  expectRefused,
  hasAnvil,
  MODES,
  TestNode,
} from "../support/deploy-support.js";
import type { Ended } from "../support/running.js";

const OTHER = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";
const DATA_FEES = "0x420000000000000000000000000000000000000F";
/** Transactions of a deployment: one each for the arena, three tokens, the games, their decoders and their modes. */
const COUNT = contractsWith(games).length + MODES.length;
const KEY = { DUELLO_DEPLOYER_KEY: DEPLOYER_KEY };

/** Shares a node and its first state among the tests of a chain, and creates a folder for each test. */
function onChain(...options: Parameters<typeof TestNode.inside>) {
  const chain = {} as { node: TestNode; folder: string };
  let fresh: unknown;

  before(async () => (chain.node = await TestNode.inside(...options)));
  after(() => chain.node.stop());
  beforeEach(async () => {
    chain.folder = mkdtempSync(join(tmpdir(), "duello-"));
    fresh = await chain.node.rpc("evm_snapshot");
  });
  afterEach(async () => {
    await chain.node.rpc("evm_revert", fresh);
    rmSync(chain.folder, { recursive: true });
  });

  const runLocally = (...args: string[]): Promise<Ended> => deployLocally(chain.folder, chain.node.url, ...args);
  const run = async (network: string, args: string[] = [], variables = {}): Promise<Ended> =>
    deploy(chain.folder, ["--network", network, "--url", chain.node.url, ...args], variables).ended;
  return { chain, run, runLocally };
}

describe("npm run deploy to a local chain", () => {
  const { chain, run, runLocally } = onChain();
  const file = () => join(chain.folder, "31337.json");

  async function deployed(): Promise<Deployment> {
    expectDone(await runLocally());
    return JSON.parse(readFileSync(file(), "utf8")) as Deployment;
  }

  it("refuses a node of another chain", async () => {
    expectRefused(await run("baseSepolia", ["--yes"], KEY), /baseSepolia is chain 84532, the node serves chain 31337/);
    expect(await chain.node.nonce()).to.equal(0);
  });

  it("refuses a chain that lacks opcodes of the contracts' code", async function () {
    if (!hasAnvil()) this.skip();
    const old = await TestNode.start("anvil", "--hardfork", "shanghai");
    const refused = await deploy(chain.folder, ["--network", "localhost", "--url", old.url]).ended;
    expectRefused(refused, /^The chain does not run opcodes of Cancun/);
    expect(await old.nonce()).to.equal(0);
    await old.stop();
  });

  it("rejects the journal of an earlier chain, unless told to discard it", async () => {
    const empty = await chain.node.rpc("evm_snapshot");
    const first = await deployed();
    await chain.node.rpc("evm_revert", empty);
    // The journal is unfinished, so a deployment would send more transactions.
    rmSync(file());
    const journal = join(chain.folder, "ignition", "deployments", "chain-31337", "journal.jsonl");
    const lines = readFileSync(journal, "utf8").split("\n");
    const end = lines.findIndex((line) => line.includes("#AutoBattler"));
    writeFileSync(journal, `${lines.slice(0, end).join("\n")}\n`);
    expectRefused(await runLocally(), new RegExp(`^Arena at ${first.addresses.Arena} has no code; .*--reset`));
    expect(await chain.node.nonce()).to.equal(0);
    expectDone(await runLocally("--reset"));
    expect(JSON.parse(readFileSync(file(), "utf8"))).to.deep.equal(first);
  });

  it("refuses a deployer who cannot pay, after the plan and before the first transaction", async () => {
    await chain.node.rpc("hardhat_setBalance", DEPLOYER, "0x71afd498d0000"); // 0.002 coin
    const ended = await runLocally();
    expectRefused(ended, new RegExp(`^The deployer ${DEPLOYER} has 0.002 coin, less than 0.\\d+`));
    expect(ended.stdout).to.match(/^Total +[\d,]+ gas$/m);
    expect(await chain.node.nonce()).to.equal(0);
  });

  describe("given a deployment", () => {
    let first: Deployment;
    let whole: string;
    let empty: unknown;

    before(async () => {
      chain.folder = whole = mkdtempSync(join(tmpdir(), "duello-"));
      empty = await chain.node.rpc("evm_snapshot");
      first = await deployed();
    });
    after(async () => {
      await chain.node.rpc("evm_revert", empty);
      rmSync(whole, { recursive: true });
    });
    beforeEach(() => cpSync(whole, chain.folder, { recursive: true }));

    it("refuses other code at an address of the deployment file", async () => {
      const { addresses } = first;
      const sent = await chain.node.nonce();
      const reason = new RegExp(`^Fighters at ${addresses.Fighters} has other code than this build`);
      // The code of Fighters with one bit changed.
      const code = (await chain.node.rpc("eth_getCode", addresses.Fighters, "latest")) as string;
      await chain.node.rpc("hardhat_setCode", addresses.Fighters, `${code.slice(0, -1)}${code.endsWith("2") ? 3 : 2}`);
      expectRefused(await runLocally(), reason);
      expect(await chain.node.nonce()).to.equal(sent);
    });

    it("refuses a game that belongs to another arena", async () => {
      expectDone(await runLocally("--reset"));
      const { addresses, ...rest } = JSON.parse(readFileSync(file(), "utf8")) as Deployment;
      const mixed = { ...addresses, AutoBattler: first.addresses.AutoBattler };
      writeFileSync(file(), JSON.stringify({ ...rest, addresses: mixed }));
      expectRefused(await runLocally(), new RegExp(`^AutoBattler at ${mixed.AutoBattler} answers another arena`));
    });

    it("assigns contracts and fees to the named owner, and rejects later runs with another owner", async () => {
      const snapshot = await chain.node.rpc("evm_snapshot");
      const done = await runLocally("--reset", "--owner", OTHER);
      expectDone(done);
      expect(done.stdout)
        .to.match(new RegExp(`^Owner {10}${OTHER}$`, "m"))
        .and.to.match(new RegExp(`^Treasury {7}${OTHER}$`, "m"));
      const { addresses } = JSON.parse(readFileSync(file(), "utf8")) as Deployment;
      for (const name of ["Arena", "FightToken", "Fighters", "GuardianCards"]) {
        const call = { to: addresses[name], data: id("owner()").slice(0, 10) };
        const owner = await chain.node.rpc("eth_call", call, "latest");
        expect(owner, name).to.equal(zeroPadValue(OTHER.toLowerCase(), 32));
      }
      expectRefused(await runLocally("--owner", DEPLOYER), new RegExp(`^--owner: .*owned by ${OTHER}`));
      await chain.node.rpc("evm_revert", snapshot);
    });

    it("rejects a treasury that differs from that of the deployed arena", async () => {
      expectRefused(await runLocally("--treasury", OTHER), new RegExp(`^--treasury: .*pays ${DEPLOYER}`));
    });
  });
});

describe("npm run deploy to a public chain", () => {
  const { chain, run, runLocally } = onChain({ chainType: "op", chainId: 84_532 });
  const cost = ({ stdout }: Ended): bigint => parseEther(/^Cost +about ([\d.]+) coin/m.exec(stdout)![1]);

  it("prints the plan and the data fees, and asks before it sends", async () => {
    const plain = await run("baseSepolia", [], KEY);
    // push7 10^15, push0, mstore, push1 32, push0, return
    await chain.node.rpc("hardhat_setCode", DATA_FEES, "0x66038d7ea4c680005f5260205ff3");
    const dearer = await run("baseSepolia", [], KEY);
    for (const ended of [plain, dearer]) expectRefused(ended, /add --yes/);
    expect(cost(dearer) - cost(plain)).to.equal(BigInt(COUNT) * 10n ** 15n);
    expect(await chain.node.nonce()).to.equal(0);
  });

  it("deploys with the key of the keystore or environment if --yes is given", async () => {
    expectDone(await run("baseSepolia", ["--yes"], KEY));
    expect(await chain.node.nonce()).to.equal(COUNT);
    expect(existsSync(join(chain.folder, "84532.json"))).to.equal(true);
  });

  it("refuses a node of another chain", async () => {
    expectRefused(await runLocally(), /localhost is chain 31337, the node serves chain 84532/);
    expect(await chain.node.nonce()).to.equal(0);
  });

  it("names a missing environment variable", async () => {
    expectRefused(await run("sepolia", ["--yes"]), /"DUELLO_DEPLOYER_KEY" not found/);
    const { ended } = deploy(chain.folder, ["--network", "sepolia"], KEY);
    expectRefused(await ended, /"SEPOLIA_RPC_URL" not found/);
  });
});
