import { expect } from "chai";
import { toBeHex } from "ethers";
import { requireOwnBlockNumbers } from "../../scripts/deploy/block-numbers.js";
import { ethers } from "../support/index.js";

describe("Block numbers of a chain to deploy to", () => {
  it("are accepted if contracts see the same ones", async () => {
    await requireOwnBlockNumbers(ethers.provider);
  });

  it("are rejected if contracts see those of another chain", async () => {
    const rollup = { getBlockNumber: async () => 250_000_000, call: async () => toBeHex(21_000_000, 32) };
    const refusal = await requireOwnBlockNumbers(rollup).catch((error: unknown) => error);
    expect((refusal as Error).message).to.equal(
      "block.number is 21000000 in block 250000000 of this chain, so that replays of pistols would go wrong: deploy to another chain.",
    );
  });
});
