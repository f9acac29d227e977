import { expect } from "chai";
import { hexlify, randomBytes } from "ethers";
import type { TestChain } from "./support/chain.js";
import { describePage, ownChain, type Visitor } from "./support/harness.js";
import { answer, done, isOver, keptTransactions, offer, OTHER, PERSON, until, visitWith } from "./support/playing.js";

const DAY = 86_400;

/** Returns the address of the key that the person approved on the chain. */
async function sessionAddress({ arena }: TestChain): Promise<string> {
  const [allowed] = await arena.queryFilter(arena.filters.OperatorAllowed());
  return allowed.args.operator;
}

/** Changes that end a session, and the text that the settings show afterwards. */
const ENDINGS: readonly [string, (chain: TestChain) => Promise<void>, RegExp][] = [
  ["expired", (chain) => chain.pass(25 * 3600), /The session ended/],
  [
    "has no coin left",
    async (chain) => {
      await chain.provider.send("hardhat_setBalance", [await sessionAddress(chain), "0x0"]);
    },
    /too little coin/,
  ],
  [
    "was revoked",
    async (chain) => {
      const arena = chain.arena.connect(await chain.account(PERSON));
      await (await arena.allow(await sessionAddress(chain), 0)).wait();
    },
    /was revoked/,
  ],
];

/** Opens an empty page, so that the page does nothing on its own. */
async function leave({ page }: Visitor): Promise<void> {
  await page.goto("about:blank");
}

describePage("The page: sessions", () => {
  for (const [title, end, told] of ENDINGS) {
    it(`takes the turn with the wallet if the session ${title}, and renews the session`, async () => {
      const chain = await ownChain([PERSON, OTHER]);
      const visitor = await visitWith({ batches: true }, "#/purse", chain);
      const { page, wallet } = visitor;
      const matchId = await offer(visitor, "rock-paper-scissors", "5", String(7 * DAY));
      await leave(visitor);
      await answer(chain, matchId);
      await end(chain);
      await visitor.open("#/settings");
      await page.getByText(told).waitFor();
      await visitor.open(`#/match/${matchId}`);
      await page.getByRole("button", { name: "Reveal your move" }).click();
      await until(() => isOver(chain, matchId));
      expect(wallet.promptsOf()).to.equal(5);
      await visitor.open("#/settings");
      await page.getByRole("button", { name: "Renew for 24 hours" }).click();
      await page.getByText(/The session is open until/).waitFor();
    });
  }

  it("drops a session's transaction once the wallet has taken the turn", async () => {
    const chain = await ownChain([PERSON, OTHER]);
    const visitor = await visitWith({ batches: true }, "#/purse", chain);
    const matchId = await offer(visitor, "rock-paper-scissors", "5", String(7 * DAY));
    await leave(visitor);
    await answer(chain, matchId);
    await visitor.disturbNode(async ({ method }) => {
      if (method !== "eth_sendRawTransaction") return undefined;
      await chain.provider.send("hardhat_setBalance", [await sessionAddress(chain), "0x0"]);
      return { error: { code: -32000, message: "insufficient funds for gas * price + value" } };
    });
    await visitor.open(`#/match/${matchId}`);
    await visitor.page.getByRole("button", { name: "Reveal your move" }).click();
    await done(visitor.page, `Take your turn in match ${matchId}`);
    await until(() => isOver(chain, matchId));
    expect(await keptTransactions(visitor.page)).to.equal(0);
  });

  it("revokes a session, and returns its coin", async () => {
    const chain = await ownChain([PERSON, OTHER]);
    const visitor = await visitWith({}, "#/settings", chain);
    const { page, wallet } = visitor;
    await page.getByRole("button", { name: "Open a session" }).click();
    await page.getByText(/The session is open until/).waitFor();
    await visitor.picture("settings");
    const address = await sessionAddress(chain);
    await page.getByRole("button", { name: "End it, and take the coin back" }).click();
    await page.getByText("There is no session in this browser.").waitFor();
    expect(await chain.arena.operatorUntil(wallet.address, address)).to.equal(0n);
    expect(await chain.provider.getBalance(address)).to.be.lessThan(10n ** 15n);
  });

  it("requires a user with a nondeterministic wallet to save a separate key first", async () => {
    const visitor = await visitWith();
    const { page, wallet } = visitor;
    const answered = wallet.answer.bind(wallet);
    wallet.answer = async (asked) =>
      asked.method === "eth_signTypedData_v4"
        ? { result: `0x11${hexlify(randomBytes(31)).slice(2)}22${hexlify(randomBytes(31)).slice(2)}1b` }
        : answered(asked);
    await visitor.open("#/settings");
    await page.getByRole("button", { name: "Save the key as a file" }).click();
    const dialog = page.getByRole("dialog", { name: "Your moves need a key of their own" });
    await dialog.waitFor();
    await visitor.picture("key");
    const saved = page.waitForEvent("download");
    await dialog.getByRole("button", { name: "Save a new key" }).click();
    const file = await (await saved).path();
    const again = page.waitForEvent("download");
    await dialog.getByRole("button", { name: "I have the file: go on" }).click();
    await again;
    await page.getByText("Yours is in this browser, and in the file that you have saved").waitFor();
    await page.getByRole("button", { name: "Forget it in this browser" }).click();
    await page.getByText("take it of your file again").waitFor();
    await page.getByLabel("Take the key of a file").setInputFiles(file);
    await page.getByText("The key is in this browser.").waitFor();
  });

  it("drops transactions sent to a chain that was restarted", async () => {
    const chain = await ownChain([PERSON, OTHER]);
    const visitor = await visitWith({}, "#/purse", chain);
    const { page } = visitor;
    visitor.allow(/ERR_|Failed to load/);
    await chain.provider.send("evm_setAutomine", [false]);
    const payIn = page.getByRole("region", { name: "Pay in" });
    await payIn.getByLabel("Amount").fill("2");
    await payIn.getByRole("button", { name: "Pay in 2 FIGHT" }).click();
    await page.getByRole("log").getByText(/^Sent/).waitFor();
    await chain.stop();
    await ownChain([PERSON], chain.port);
    await page.getByText(/The chain was restarted: a transaction of the old one/).waitFor();
    await payIn.getByText(/what was sent to the old one is gone/).waitFor();
    expect(await keptTransactions(page)).to.equal(0);
    await payIn.getByRole("button", { name: "Pay in 2 FIGHT" }).click();
    await done(page, "Pay into the purse");
  });
});
