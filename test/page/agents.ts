import { expect } from "chai";
import { catalogue } from "../../sdk/games/catalogue.js";
import { describePage, pageChain } from "./support/harness.js";
import { anyMoves, isOver, openedMatch, visitWith } from "./support/playing.js";

/** Account that plays. */
const PLAYER = 7;

/** Modes that are over soon, of games whose usual mode takes longer. */
const SHORT: Readonly<Record<string, string>> = { warmancer: "quick" };

/** Seconds that a match may take. */
const PATIENCE = 60;

describePage("Matches in the page against the local agent", () => {
  let agent: string;

  before(async () => {
    agent = await (await pageChain()).startAgent();
  });

  for (const { name, title, modes } of catalogue) {
    it(`plays ${title} to its end`, async () => {
      const visitor = await visitWith({ batches: true }, "#/", undefined, PLAYER);
      const { page, wallet, chain } = visitor;
      await visitor.open(`#/play/${name}/${SHORT[name] ?? Object.keys(modes)[0]}?to=${agent}&stake=1`);
      await page.getByRole("button", { name: "Any legal move" }).click();
      const matchId = await openedMatch(page);
      const prompts = wallet.promptsOf();
      await anyMoves([page], () => isOver(chain, matchId), PATIENCE);
      await page.getByText(/^\s*(You win\.|You lose\.|A draw)/).waitFor();
      await page.getByRole("button", { name: "Replay verified in this page" }).waitFor();
      expect(wallet.promptsOf()).to.equal(prompts);
    });
  }
});
