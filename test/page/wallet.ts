import { expect } from "chai";
import { parseEther } from "ethers";
import type { Page } from "playwright-core";
import { likenessOf } from "../../page/src/people/recipe.js";
import { describePage } from "./support/harness.js";
import { answer, done, isOver, keptTransactions, offer, OTHER, until, visitWith } from "./support/playing.js";

describePage("The page: prompts of a wallet", () => {
  it("appear seven times to start a first match, never during the match's turns, and twice to start the next match", async () => {
    const visitor = await visitWith();
    const { wallet, page, chain } = visitor;
    const first = await offer(visitor);
    await until(async () => wallet.promptsOf() === 7);
    await done(page, "Let this browser take your turns");
    await answer(chain, first);
    await until(() => isOver(chain, first));
    expect(wallet.promptsOf()).to.equal(7);
    await offer(visitor, "rock-paper-scissors", "50");
    expect(wallet.promptsOf()).to.equal(9);
  });

  it("appear four times in a batching wallet to start a first match, and once to start the next match", async () => {
    const visitor = await visitWith({ batches: true });
    const { wallet, chain } = visitor;
    const first = await offer(visitor);
    expect(wallet.prompts.map(({ method }) => method)).to.deep.equal([
      "eth_requestAccounts",
      "eth_signTypedData_v4",
      "eth_signTypedData_v4",
      "wallet_sendCalls",
    ]);
    await answer(chain, first);
    await until(() => isOver(chain, first));
    await offer(visitor, "rock-paper-scissors", "50");
    expect(wallet.promptsOf()).to.equal(5);
  });
});

describePage("The page with a wallet that rejects or switches, or after a reload", () => {
  it("sends nothing and stores nothing when a prompt is rejected", async () => {
    const visitor = await visitWith();
    const { page, wallet } = visitor;
    const payIn = page.getByRole("region", { name: "Pay in" });
    await payIn.getByLabel("Amount").fill("1");
    wallet.rejectNext();
    await payIn.getByRole("button", { name: "Pay in 1 FIGHT" }).click();
    await payIn.getByText("It was rejected in the wallet: nothing was sent.").waitFor();
    expect(await page.getByRole("log").innerText()).to.equal("");
    expect(await keptTransactions(page)).to.equal(0);
    await payIn.getByRole("button", { name: "Pay in 1 FIGHT" }).click();
    await done(page, "Pay into the purse");
  });

  it("offers to switch a wallet that is on another network", async () => {
    const visitor = await visitWith();
    const { page, wallet } = visitor;
    await wallet.switchChain(1);
    wallet.isChainKnown = false;
    const payIn = page.getByRole("region", { name: "Pay in" });
    await payIn.getByLabel("Amount").fill("1");
    await payIn.getByRole("button", { name: "Pay in 1 FIGHT" }).click();
    await payIn.getByText("The wallet is on chain 1, not on chain 31337: switch its network.").waitFor();
    expect(wallet.promptsOf("eth_sendTransaction")).to.equal(0);
    await page.getByRole("banner").getByRole("img", { name: "Wrong network" }).waitFor();
    await payIn.getByRole("button", { name: "Switch to Test chain" }).click();
    await payIn.getByText("switch its network").waitFor({ state: "detached" });
    await payIn.getByRole("button", { name: "Pay in 1 FIGHT" }).click();
    await done(page, "Pay into the purse");
  });

  it("follows a switched account, and forgets an account that the wallet disconnects", async () => {
    const visitor = await visitWith();
    const { page, wallet, chain } = visitor;
    const { address } = await chain.account(OTHER);
    await wallet.switchAccount(address);
    await page.getByRole("banner").getByText(likenessOf(address).name).waitFor();
    await wallet.disconnect();
    await page.getByRole("banner").getByRole("button", { name: "Connect" }).waitFor();
  });

  it("reconnects after a reload without a prompt, even to a wallet that announces itself late", async () => {
    const visitor = await visitWith({ delay: 1500 });
    const { page, wallet } = visitor;
    const before = wallet.promptsOf();
    await page.reload();
    await page.getByRole("banner").getByText(likenessOf(wallet.address).name).waitFor();
    expect(wallet.promptsOf()).to.equal(before);
  });

  it("resumes a transaction after a reload, and sends it once", async () => {
    const visitor = await visitWith();
    const { page, wallet, chain } = visitor;
    await chain.provider.send("evm_setAutomine", [false]);
    const payIn = page.getByRole("region", { name: "Pay in" });
    await payIn.getByLabel("Amount").fill("2");
    await payIn.getByRole("button", { name: "Pay in 2 FIGHT" }).click();
    await page.getByRole("log").getByText(/^Sent/).waitFor();
    await page.reload();
    await page.getByRole("log").getByText(/^Sent/).waitFor();
    await payIn.getByLabel("Amount").fill("2");
    await payIn.getByRole("button", { name: "Pay in 2 FIGHT" }).click();
    await chain.provider.send("evm_setAutomine", [true]);
    await chain.provider.send("evm_mine", []);
    await done(page, "Pay into the purse");
    expect(wallet.promptsOf("eth_sendTransaction")).to.equal(1);
    expect(await chain.arena.purseOf(wallet.address, chain.addresses.FightToken)).to.equal(parseEther("2"));
    expect(await keptTransactions(page)).to.equal(0);
  });

  it("reports a prompt that was open when the page was reloaded, until the user dismisses it", async () => {
    const visitor = await visitWith();
    const { page, wallet } = visitor;
    const answered = wallet.answer.bind(wallet);
    wallet.answer = async (asked) =>
      asked.method === "eth_sendTransaction" ? new Promise<never>(() => {}) : answered(asked);
    const payIn = page.getByRole("region", { name: "Pay in" });
    await payIn.getByLabel("Amount").fill("3");
    await payIn.getByRole("button", { name: "Pay in 3 FIGHT" }).click();
    await page.getByRole("log").getByText("Confirm it in your wallet").waitFor();
    await page.reload();
    await page
      .getByRole("log")
      .getByText(/asked for this before the page was loaded/)
      .waitFor();
    await payIn.getByLabel("Amount").fill("3");
    await payIn.getByRole("button", { name: "Pay in 3 FIGHT" }).click();
    await payIn.getByText(/Your wallet was asked for this before/).waitFor();
    await page.getByRole("log").getByRole("button", { name: "Forget" }).click();
    await page
      .getByRole("log")
      .getByText(/asked for this/)
      .waitFor({ state: "detached" });
    expect(await keptTransactions(page)).to.equal(0);
  });

  it("starts no action twice in two tabs", async () => {
    const visitor = await visitWith();
    const { page, wallet } = visitor;
    const answered = wallet.answer.bind(wallet);
    wallet.answer = async (asked) =>
      asked.method === "eth_sendTransaction" ? new Promise<never>(() => {}) : answered(asked);
    const begin = async (tab: Page) => {
      const payIn = tab.getByRole("region", { name: "Pay in" });
      await payIn.getByLabel("Amount").fill("4");
      await payIn.getByRole("button", { name: "Pay in 4 FIGHT" }).click();
    };
    const earlier = await visitor.openTab("#/purse");
    await earlier.getByLabel("Amount").first().waitFor();
    await begin(page);
    await page.getByRole("log").getByText("Confirm it in your wallet").waitFor();
    const later = await visitor.openTab("#/purse");
    for (const tab of [earlier, later]) {
      await begin(tab);
      await tab.getByText("This is being done in another tab of this browser: look there.").waitFor();
    }
    await page.close();
    await later
      .getByRole("log")
      .getByText(/asked for this before the page was loaded/)
      .waitFor();
  });
});
