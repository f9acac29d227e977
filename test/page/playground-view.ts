import { expect } from "chai";
import type { Page } from "playwright-core";
import { look } from "./support/axe.js";
import { describePage, visit, type Visitor } from "./support/harness.js";

/** Opens the playground of a page without deployments, for which any request to a node is a problem. */
async function visitPlayground(hash = "#/playground", options: Parameters<typeof visit>[0] = {}): Promise<Visitor> {
  const visitor = await visit({ deployments: [], ...options });
  const { context, chain } = visitor;
  await context.route(`${chain.url}/**`, (route) => {
    visitor.problems.push("A node was asked.");
    return route.abort();
  });
  await visitor.open(hash);
  await button(visitor.page, "Reset").waitFor();
  return visitor;
}

const button = (page: Page, name: string | RegExp) => page.getByRole("button", { name, exact: true });
const log = (page: Page) => page.getByRole("region", { name: "Chain" }).getByRole("listitem");
const move = (page: Page) => page.getByRole("region", { name: "Your move" });

/** Chooses a move of rock-paper-scissors, and plays it. */
async function choose(page: Page, name: string): Promise<void> {
  await move(page).getByRole("radio", { name }).check();
  await button(page, `Play ${name}`).click();
}

describePage("The playground of the page", () => {
  it("plays rock-paper-scissors on real contracts, and decodes the log word by word", async () => {
    const visitor = await visitPlayground();
    const { page } = visitor;
    await visitor.picture("playground-start");
    await choose(page, "rock");
    await page.getByRole("heading", { name: "Player 2: join with your answer" }).waitFor();
    await page.getByText("Only player 1 knows this").waitFor();
    await visitor.picture("playground-created");
    await choose(page, "paper");
    await page.getByRole("heading", { name: "Player 1: reveal what you have committed to" }).waitFor();
    await visitor.picture("playground-joined");
    await button(page, "Reveal").click();
    const word = page.locator(".word");
    await word.first().waitFor();
    await visitor.picture("playground-end");
    expect(await word.count()).to.equal(1);
  });
});
console.log(look);
