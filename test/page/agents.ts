import { expect } from "chai";
import { catalogue } from "../../sdk/games/catalogue.js";
import { Channels__factory } from "../../typechain-types/index.js";
import type { TestChain } from "./support/chain.js";
import { describePage, standingChain, visit } from "./support/harness.js";
import { anyMoves, isOver, openedMatch, until, visitWith } from "./support/playing.js";
import { TestRelay } from "./support/relay.js";

/** Account that plays. */
const PLAYER = 7;

/** Games that two people play to the end in `matches.ts`. Here an agent plays them only in thorough runs. */
const ALSO_BY_PEOPLE = ["mini-games", "tic-tac-toe", "warmancer"];
const played = catalogue.filter(({ name }) => process.env.THOROUGH || !ALSO_BY_PEOPLE.includes(name));

/** Modes of short matches, for games whose usual mode takes longer. */
const SHORT: Readonly<Record<string, string>> = { warmancer: "quick" };

describePage("The page: matches against the local agent", () => {
  let chain: TestChain;
  let agent: string;
  let undo: () => Promise<void>;

  let relay: TestRelay;

  before(async () => {
    chain = await standingChain();
    undo = await chain.snapshot();
    relay = await TestRelay.start(chain);
    agent = await chain.startAgent(relay.url);
  });
  after(async () => {
    await chain?.stopAgent();
    await relay?.stop();
    await undo?.();
  });

  for (const { name, title, modes } of played) {
    it(`plays ${title} to its end`, async () => {
      const visitor = await visitWith({ batches: true }, "#/", chain, PLAYER);
      const { page, wallet } = visitor;
      await visitor.open(`#/play/${name}/${SHORT[name] ?? Object.keys(modes)[0]}?to=${agent}`);
      await page.getByRole("button", { name: "Any legal move" }).click();
      const matchId = await openedMatch(page);
      const prompts = wallet.promptsOf();
      await anyMoves([page], () => isOver(chain, matchId));
      await page.keyboard.press("End");
      await page.locator(".result").waitFor();
      await page.getByRole("button", { name: "Replay verified in this page" }).waitFor();
      expect(wallet.promptsOf()).to.equal(prompts);
    });
  }

  it("lets a guest without a wallet or coin play a rated match on the chain, and export the guest's key", async () => {
    const deployments = [relay.deployment];
    const visitor = await visit({ chain, deployments });
    const { page } = visitor;
    await visitor.open();
    await page.getByRole("button", { name: "Play the program as a guest" }).click();
    await page.waitForURL(/#\/channel\//);
    await visitor.picture("guest");
    await page.getByRole("button", { name: "Any legal move" }).click();
    const channels = Channels__factory.connect(await chain.arena.channels(), chain.provider);
    await until(async () => (await channels.queryFilter(channels.filters.Played())).length === 1);
    const [{ args }] = await channels.queryFilter(channels.filters.Opened());
    const { player1: guest } = args;
    expect(await chain.provider.getBalance(guest)).to.equal(0n);
    expect((await chain.arena.recordOf(chain.addresses.MiniGames, guest)).experience).to.be.greaterThan(0n);

    // The agent has offered the next match, but the result of this one stays until the guest continues.
    const goOn = page.getByRole("dialog").getByRole("button", { name: "Next match" });
    await goOn.waitFor();
    await visitor.picture("guest-result");
    await goOn.click();
    await page.getByText("Match 2:").waitFor();

    const account = `.account-button[title="${guest}"]`;
    await page.locator(account).click();
    const saving = page.waitForEvent("download");
    await page.getByRole("button", { name: "Save the key" }).click();
    const file = await (await saving).path();
    const elsewhere = await visit({ chain, deployments });
    await elsewhere.open();
    await elsewhere.page.getByRole("button", { name: "Connect" }).click();
    const none = { name: "other.json", mimeType: "application/json", buffer: Buffer.from("{}") };
    await elsewhere.page.getByLabel("I have a guest's key").setInputFiles(none);
    await elsewhere.page.getByText("This is not the file of a guest's key.").waitFor();
    await elsewhere.page.getByLabel("I have a guest's key").setInputFiles(file);
    await elsewhere.page.locator(account).waitFor();
    await page.reload();
    await page.locator(account).waitFor();
  });
});
