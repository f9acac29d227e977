import { expect } from "chai";
import { catalogue } from "../../sdk/games/catalogue.js";
import type { TestChain } from "./support/chain.js";
import { describePage, standingChain } from "./support/harness.js";
import { anyMoves, isOver, openedMatch, visitWith } from "./support/playing.js";

/** Account that plays. */
const PLAYER = 7;

/** Games that two people play to an end in `matches.ts`; here a program plays them only if there is time. */
const ALSO_BY_PEOPLE = ["mini-games", "tic-tac-toe", "warmancer"];
const played = catalogue.filter(({ name }) => process.env.THOROUGH || !ALSO_BY_PEOPLE.includes(name));

/** Modes of short matches, for games whose usual mode takes longer. */
const SHORT: Readonly<Record<string, string>> = { warmancer: "quick" };

describePage("Matches in the page against the local agent", () => {
  let chain: TestChain;
  let agent: string;
  let undo: () => Promise<void>;

  before(async () => {
    chain = await standingChain();
    undo = await chain.snapshot();
    agent = await chain.startAgent();
  });
  after(async () => {
    await chain?.stopAgent();
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
});
