import { expect } from "chai";
import { parseEther } from "ethers";
import { describePage } from "./support/harness.js";
import { until, visitWith } from "./support/playing.js";

describePage("The page: purse", () => {
  it("deposits and withdraws in one transaction each, and shows the fee first", async () => {
    const { page, wallet, chain } = await visitWith();
    const inPurse = () => chain.arena.purseOf(wallet.address, chain.addresses.FightToken);
    const before = await inPurse();
    for (const [title, expected] of [
      ["Pay in", before + parseEther("12.5")],
      ["Pay out", before],
    ] as const) {
      const form = page.getByRole("region", { name: title });
      await form.getByLabel("Amount").fill("12.5");
      await form.getByText(/One transaction.* Fee: about/).waitFor();
      await form.getByRole("button", { name: `${title} 12.5 FIGHT` }).click();
      await until(async () => (await inPurse()) === expected);
    }
    expect(wallet.promptsOf()).to.equal(3);
  });

  it("explains why an amount is invalid", async () => {
    const { page } = await visitWith();
    const form = page.getByRole("region", { name: "Pay in" });
    for (const [written, told] of [
      ["1e3", /Write a number like 12\.5/],
      ["0", /Nothing would move/],
      ["99999999", /There are only/],
    ] as const) {
      await form.getByLabel("Amount").fill(written);
      await form.getByText(told).waitFor();
      expect(await form.getByRole("button", { name: "Pay in" }).isDisabled()).to.equal(true);
    }
  });
});
