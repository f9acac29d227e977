import { expect } from "chai";
import { concat, toBeHex, ZeroAddress, zeroPadValue } from "ethers";
import { network } from "hardhat";
import { requireOpcodes, requireSeconds, requireStoredCode } from "../../scripts/deploy/machine.js";
import { ethers } from "../support/index.js";

/** Returns the message with which a check refuses a chain. */
async function refusal(check: Promise<void>): Promise<string> {
  return check.then(
    () => "not refused",
    (error: unknown) => (error as Error).message,
  );
}

describe("The deployment's check of a chain's EVM", () => {
  it("accepts Ethereum's EVM since Cancun", async () => {
    await requireOpcodes(ethers.provider);
    await requireStoredCode(ethers.provider);
    await requireSeconds(ethers.provider);
  });

  it("refuses an EVM without the opcodes of Cancun", async () => {
    const old = await network.create({ network: "default", override: { hardfork: "shanghai" } });
    expect(await refusal(requireOpcodes(old.ethers.provider))).to.equal(
      "The chain does not run opcodes of Cancun (PUSH0, TSTORE, TLOAD, MCOPY), which the contracts need: deploy to another chain.",
    );
    await old.close();
  });

  it("rejects a chain that does not run EVM code", async () => {
    expect(await refusal(requireOpcodes({ call: async () => "0x" }))).to.match(
      /^The chain does not run code of the EVM/,
    );
  });

  it("reports the error of a node that does not answer", async () => {
    const down = { call: () => Promise.reject(new Error("the node is down")) };
    expect(await refusal(requireOpcodes(down))).to.equal("the node is down");
  });

  it("refuses a chain that creates contracts at unexpected addresses, or whose contracts cannot read code", async () => {
    const [creator, elsewhere] = ["0x", "0x"].map((_, i) => zeroPadValue(toBeHex(7 + i), 32));
    const answer = (created: string, byte: number) => ({
      call: async () => concat([zeroPadValue(created, 32), creator, toBeHex(byte, 32)]),
    });
    const right = ethers.getCreateAddress({ from: zeroPadValue("0x07", 20), nonce: 1 });
    await requireStoredCode(answer(right, 0xab));
    for (const chain of [answer(right, 0), answer(ZeroAddress, 0xab), answer(elsewhere, 0xab)]) {
      expect(await refusal(requireStoredCode(chain))).to.match(/no match could be created: deploy to another chain\.$/);
    }
  });

  it("refuses a chain whose block times are not in seconds", async () => {
    const block = (await ethers.provider.getBlock("latest"))!;
    const milliseconds = {
      getBlock: async () => Object.create(block, { timestamp: { value: 1_790_000_000_000 } }),
    };
    expect(await refusal(requireSeconds(milliseconds))).to.match(/^The latest block has the time 1790000000000, which/);
  });
});
