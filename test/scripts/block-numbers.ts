import { expect } from "chai";
import { toBeHex } from "ethers";
import { requireOwnBlockNumbers } from "../../scripts/deploy/block-numbers.js";
import { ethers } from "../support/index.js";

describe("The deployment's check of block numbers", () => {
  it("accepts a chain whose contracts see the same block numbers", async () => {
    await requireOwnBlockNumbers(ethers.provider);
  });

  it("rejects a chain whose contracts see the block numbers of another chain", async () => {
    const rollup = { getBlockNumber: async () => 250_000_000, call: async () => toBeHex(21_000_000, 32) };
    const refusal = await requireOwnBlockNumbers(rollup).catch((error: unknown) => error);
    expect((refusal as Error).message).to.equal(
      "block.number is 21000000 in block 250000000 of this chain, so that replays of pistols would go wrong: deploy to another chain.",
    );
  });
});
