import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "chai";
import { tokensWith } from "../../sdk/games/list.js";
import type { Deployment } from "../../sdk/chain/deployment.js";
import { games } from "../../sdk/games/index.js";
import { contractsWith } from "../../sdk/games/list.js";
import { deploy, expectDone, expectRefused, MODES, TestNode } from "../support/deploy-support.js";

const TOKENS = tokensWith(games);

const COUNT = contractsWith(games).length + MODES.length;

describe("npm run deploy -- --tokens", () => {
  const [first, second] = [1, 2].map(() => mkdtempSync(join(tmpdir(), "duello-")));
  const file = join(first, "31337.json");
  let node: TestNode;

  before(async () => {
    node = await TestNode.start("hardhat node");
    expectDone(await run(first));
  });
  after(async () => {
    await node?.stop();
    for (const folder of [first, second]) rmSync(folder, { recursive: true });
  });

  const run = async (folder: string, ...args: string[]) =>
    deploy(folder, ["--network", "localhost", "--url", node.url, ...args]).ended;
  const written = (folder: string) => JSON.parse(readFileSync(join(folder, "31337.json"), "utf8")) as Deployment;

  it("deploys a second arena with its own games and the tokens of the first", async () => {
    const done = await run(second, "--tokens", file);
    expectDone(done);
    expect(await node.nonce()).to.equal(2 * COUNT - TOKENS.length);
    const [before, after] = [written(first), written(second)];
    expect(Object.keys(after.addresses)).to.deep.equal(Object.keys(before.addresses));
    for (const [name, address] of Object.entries(after.addresses)) {
      const isKept = TOKENS.includes(name);
      expect(address === before.addresses[name], name).to.equal(isKept);
      if (isKept) expect(done.stdout).to.match(new RegExp(`^${name} +stands$`, "m"));
    }
    // Characters were minted before the second arena existed.
    expect(after.block).to.equal(before.block);
  });

  it("rejects a file of another chain, and missing tokens", async () => {
    const folder = mkdtempSync(join(first, "other-"));
    const other = join(folder, "other.json");
    writeFileSync(other, JSON.stringify({ ...written(first), chainId: 7 }));
    expectRefused(await run(folder, "--tokens", other), /other\.json: it is of chain 7, not 31337/);
    const { addresses, ...rest } = written(first);
    writeFileSync(other, JSON.stringify({ ...rest, addresses: { ...addresses, Fighters: addresses.Arena } }));
    expectRefused(await run(folder, "--tokens", other), /^Fighters at \S+ has other code than this build/);
    expectRefused(await run(first, "--tokens", other), /^--tokens: the arena stands already, with Fighters at /);
    expect(await node.nonce()).to.equal(2 * COUNT - TOKENS.length);
  });
});
