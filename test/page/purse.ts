import { expect } from "chai";
import { describePage, visit, type Visitor } from "./support/harness.js";

/** Connects the visitor's wallet by the button. */
async function connect({ page }: Visitor): Promise<void> {
  await page.locator("header").getByRole("button", { name: "Connect" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Mock Wallet" }).click();
  await page.getByRole("dialog").waitFor({ state: "detached" });
}

describePage("Purse in the page", () => {
  it("connects a wallet, and pays in and out by a transaction each", async () => {
    const visitor = await visit({ wallets: [{ account: 2 }] });
    const { page, wallet } = visitor;
    await visitor.open("#/purse");
    await connect(visitor);
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
