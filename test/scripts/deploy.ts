import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "chai";
import { id, JsonRpcProvider, keccak256 } from "ethers";
import { contractsWith } from "../../sdk/games/list.js";
import { games } from "../../sdk/games/index.js";
import {
  Arena__factory,
  AutoBattler__factory,
  FightToken__factory,
  IGame__factory,
} from "../../typechain-types/index.js";
import type { Deployment } from "../../sdk/chain/deployment.js";
import { DEPLOYER, deployLocally, expectDone, MODES, nodes, TestNode } from "../support/deploy-support.js";

const TREASURY = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";

const COUNT = contractsWith(games).length + MODES.length;

/** Events of a deployment, for the owners, the treasury, the fee and the modes. Nothing is minted. */
const EVENTS = [
  "OwnershipTransferred(address,address)",
  "TreasuryChanged(address)",
  "FeeChanged(uint16)",
  "ModeRegistered(bytes32,bytes)",
];

for (const kind of Object.keys(nodes) as (keyof typeof nodes)[]) {
  describe(`npm run deploy to ${kind}`, () => {
    const folder = mkdtempSync(join(tmpdir(), "duello-"));
    const file = join(folder, "31337.json");
    let node: TestNode;
    let provider: JsonRpcProvider;
    let stdout: string;
    let deployment: Deployment;

    before(async function () {
      // The package of anvil exists for this platform only.
      if (kind === "anvil" && !(process.platform === "linux" && process.arch === "x64")) this.skip();
      node = await TestNode.start(kind);
      provider = new JsonRpcProvider(node.url, undefined, { cacheTimeout: -1 });
      await node.rpc("hardhat_mine", "0x5");
      const run = await deployLocally(folder, node.url, "--treasury", TREASURY);
      expectDone(run);
      ({ stdout } = run);
      deployment = JSON.parse(readFileSync(file, "utf8")) as Deployment;
    });

    after(async () => {
      provider?.destroy();
      await node?.stop();
      rmSync(folder, { recursive: true });
    });

    it("sends one transaction per contract and stock mode, and records all contracts", async () => {
      expect(await node.nonce()).to.equal(COUNT);
      expect(Object.keys(deployment.addresses)).to.deep.equal(contractsWith(games));
      for (const [name, address] of Object.entries(deployment.addresses)) {
        expect(await provider.getCode(address), name).to.match(/^0x60/);
        expect(stdout).to.match(new RegExp(`^${name} +${address}$`, "m"));
      }
    });

    it("records a block before which no contract existed", async () => {
      expect(deployment.chainId).to.equal(31337);
      expect(deployment.block).to.equal(6);
      expect(await provider.getCode(deployment.addresses.Arena, deployment.block - 1)).to.equal("0x");
    });

    it("makes the deployer the owner of the contracts, and links each game to the arena", async () => {
      const { Arena, FightToken, Fighters, AutoBattler } = deployment.addresses;
      for (const address of [Arena, FightToken, Fighters]) {
        expect(await Arena__factory.connect(address, provider).owner()).to.equal(DEPLOYER);
      }
      expect(await Arena__factory.connect(Arena, provider).treasury()).to.equal(TREASURY);
      const game = AutoBattler__factory.connect(AutoBattler, provider);
      expect([await game.arena(), await game.fighters()]).to.deep.equal([Arena, Fighters]);
    });

    it("registers every stock mode once", async () => {
      for (const { contract, modes } of games) {
        const game = IGame__factory.connect(deployment.addresses[contract], provider);
        const registered = (await game.queryFilter(game.filters.ModeRegistered())).map(({ args }) => [...args]);
        const contents = Object.values(modes).map(({ content }) => content);
        const stock = contents.filter((content) => content !== "0x").map((content) => [keccak256(content), content]);
        expect(registered, contract).to.have.deep.members(stock);
      }
      expect(MODES).to.not.be.empty;
    });

    it("mints nothing and names no minter", async () => {
      expect(await FightToken__factory.connect(deployment.addresses.FightToken, provider).totalSupply()).to.equal(0n);
      const logs = await provider.getLogs({ fromBlock: 0 });
      expect(new Set(logs.map(({ topics }) => topics[0]))).to.deep.equal(new Set(EVENTS.map(id)));
    });

    it("estimates the gas with an error of at most 5 %", async () => {
      const blocks = await Promise.all(
        Array.from({ length: COUNT }, (_, i) => provider.getBlock(deployment.block + i)),
      );
      const used = blocks.reduce((sum, block) => sum + block!.gasUsed, 0n);
      const total = Number(/^Total +([\d,]+) gas$/m.exec(stdout)![1].replaceAll(",", ""));
      expect(total / Number(used)).to.be.within(0.95, 1.05);
    });

    it("sends nothing when run again", async () => {
      const run = await deployLocally(folder, node.url);
      expectDone(run);
      expect(run.stdout).to.include("nothing to send").and.to.include(deployment.addresses.Arena);
      expect(await node.nonce()).to.equal(COUNT);
      expect(JSON.parse(readFileSync(file, "utf8"))).to.deep.equal(deployment);
      expect(existsSync(join(folder, "ignition"))).to.equal(true);
    });
  });
}
