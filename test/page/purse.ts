import { expect } from "chai";
import { describePage } from "./support/harness.js";
import { visitWith } from "./support/playing.js";

describePage("Purse in the page", () => {
  it("connects a wallet, and pays in and out by a transaction each", async () => {
    const visitor = await visitWith();
    const { page, wallet } = visitor;
    await page.getByRole("heading", { name: "What you have" }).waitFor();
    const payIn = page.getByRole("region", { name: "Pay in" });
    await payIn.getByLabel("Amount").fill("12.5");
    await payIn.getByText(/One transaction: .* Fee: about/).waitFor();
    await payIn.getByRole("button", { name: "Pay in 12.5 FIGHT" }).click();
    await page.getByRole("cell", { name: "12.5 FIGHT" }).waitFor();
    await visitor.picture("purse");
    expect(wallet.promptsOf()).to.equal(2);
  });
});
