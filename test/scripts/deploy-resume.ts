import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { expect } from "chai";
import { id } from "ethers";
import { besides } from "../../sdk/games/constructor-args.js";
import { games } from "../../sdk/games/index.js";
import { deploy, deployLocally, expectDone, expectRefused, MODES, TestNode } from "../support/deploy-support.js";
import type { Ended } from "../support/running.js";

const FIRST = ["Arena", "FightToken", "Fighters", "GuardianCards"];
const GAMES = games.map((game) => game.contract);
const CONTRACTS = FIRST.length + GAMES.length;
const BESIDE = games.flatMap(besides).map(({ contract }) => contract);
/** Number of transactions after the games are deployed. */
const LAST = MODES.length + BESIDE.length;
const COUNT = CONTRACTS + LAST;
const TREASURY = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";

describe("npm run deploy, interrupted", () => {
  let node: TestNode;
  let fresh: unknown;
  let folder: string;

  before(async () => (node = await TestNode.inside()));
  after(() => node.stop());

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), "duello-"));
    fresh = await node.rpc("evm_snapshot");
  });

  afterEach(async () => {
    await node.rpc("evm_revert", fresh);
    await node.rpc("evm_setAutomine", true);
    rmSync(folder, { recursive: true });
  });

  const journal = () => join(folder, "ignition", "deployments", "chain-31337", "journal.jsonl");
  const resume = (...args: string[]): Promise<Ended> => deployLocally(folder, node.url, ...args);

  /** Counts the transactions that Ignition has recorded as sent. */
  const sent = (): number =>
    existsSync(journal()) ? readFileSync(journal(), "utf8").split('"TRANSACTION_SEND"').length - 1 : 0;

  /** Kills a run after it has sent a number of transactions, on a chain that mines only on request. */
  async function killAfter(count: number): Promise<void> {
    await node.rpc("evm_setAutomine", false);
    const { child, ended } = deploy(folder, ["--network", "localhost", "--url", node.url]);
    // Mines more blocks than Ignition awaits. The first contracts come first, then the games, then their modes and
    // extra contracts.
    for (const part of [FIRST.length, CONTRACTS, COUNT]) {
      while (sent() < Math.min(part, count) && child.exitCode === null) await pause(10);
      if (count > part) await node.rpc("hardhat_mine", "0x6");
    }
    child.kill("SIGKILL");
    expect(await ended).to.include({ code: null, stderr: "" });
    expect(sent()).to.equal(count);
    expect(existsSync(join(folder, "31337.json"))).to.equal(false);
  }

  /** Counts the modes that a plan would register. */
  const plannedModes = ({ stdout }: Ended): number =>
    [...stdout.matchAll(/^\w+, (\d+) modes +[\d,]+ gas$/gm)].reduce((sum, [, count]) => sum + Number(count), 0);

  async function lose(transactions: string[]): Promise<void> {
    for (const hash of transactions) await node.rpc("hardhat_dropTransaction", hash);
  }

  async function pending(): Promise<string[]> {
    const block = await node.rpc("eth_getBlockByNumber", "pending", false);
    return (block as { transactions: string[] }).transactions;
  }

  /** Lists the names of the contracts that a plan would create. */
  const planned = ({ stdout }: Ended): string[] =>
    [...stdout.matchAll(/^(\w+) +[\d,]+ gas$/gm)].map(([, name]) => name).filter((name) => name !== "Total");

  /** Counts the events of a kind on the chain. */
  async function logged(event: string): Promise<number> {
    return ((await node.rpc("eth_getLogs", { fromBlock: "0x0", topics: [id(event)] })) as unknown[]).length;
  }

  function writtenBlock(): number {
    return (JSON.parse(readFileSync(join(folder, "31337.json"), "utf8")) as { block: number }).block;
  }

  it("continues after pending transactions, and keeps the block of the first contract", async () => {
    await killAfter(FIRST.length);
    await node.rpc("hardhat_mine", "0x9");
    await node.rpc("evm_setAutomine", true);
    const run = await resume();
    expectDone(run);
    for (const name of FIRST) expect(run.stdout).to.match(new RegExp(`^${name} +is sent already$`, "m"));
    expect(planned(run)).to.deep.equal([...GAMES, ...BESIDE]);
    expect(await node.nonce()).to.equal(COUNT);
    expect(writtenBlock()).to.equal(1);
  });

  it("continues after deployed contracts, and resends lost transactions", async () => {
    await killAfter(CONTRACTS);
    const transactions = await pending();
    expect(transactions).to.have.length(GAMES.length);
    await lose(transactions);
    await node.rpc("evm_setAutomine", true);
    const run = await resume();
    expectDone(run);
    for (const name of FIRST) expect(run.stdout).to.match(new RegExp(`^${name} +stands$`, "m"));
    expect(planned(run)).to.deep.equal([...GAMES, ...BESIDE]);
    expect(plannedModes(run)).to.equal(MODES.length);
    expect(await node.nonce()).to.equal(COUNT);
    expect(writtenBlock()).to.equal(1);
  });

  it("registers only the missing modes and deploys only the missing decoders after an interruption", async () => {
    await killAfter(COUNT);
    const transactions = await pending();
    expect(transactions).to.have.length(LAST);
    await lose(transactions.slice(4));
    await node.rpc("hardhat_mine", "0x9");
    await node.rpc("evm_setAutomine", true);
    const run = await resume();
    expectDone(run);
    // Ignition sends transactions that depend on the same one in the order of their names.
    expect(planned(run)).to.deep.equal(BESIDE.slice(2));
    expect(plannedModes(run)).to.equal(MODES.length - 2);
    expect(await node.nonce()).to.equal(COUNT);
    expect(await logged("ModeRegistered(bytes32,bytes)")).to.equal(MODES.length);
  });

  it("restores a lost deployment file from the journal", async () => {
    expectDone(await resume());
    const file = readFileSync(join(folder, "31337.json"), "utf8");
    rmSync(join(folder, "31337.json"));
    const run = await resume();
    expectDone(run);
    expect(planned(run)).to.deep.equal([]);
    expect(plannedModes(run)).to.equal(0);
    expect(readFileSync(join(folder, "31337.json"), "utf8")).to.equal(file);
    expect(await node.nonce()).to.equal(COUNT);
  });

  it("refuses to continue with another treasury", async () => {
    await killAfter(CONTRACTS);
    expectRefused(await resume("--treasury", TREASURY), /Arena/);
    expect(await node.nonce()).to.equal(CONTRACTS);
    expect(existsSync(join(folder, "31337.json"))).to.equal(false);
  });
});
