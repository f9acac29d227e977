import { mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "chai";
import { buildPage } from "../../scripts/page/build.js";
import { describePage, visit, type Visitor } from "./support/harness.js";

/** Turns in which a heap is gone. */
const MAX_TURNS = 30;

describePage("A game without a view of its own", () => {
  let folder: string;

  before(async () => {
    folder = await mkdtemp(join("cache", "page-"));
    await buildPage(folder, join("test", "page", "support", "seven-games.config.ts"));
  });
  after(() => rm(folder, { recursive: true }));

  async function open(hash: string): Promise<Visitor> {
    const visitor = await visit({ deployments: [], folder });
    await visitor.open(hash);
    return visitor;
  }

  it("is listed, and played by words in a field, which says what is refused", async () => {
    const { page } = await open("#/try");
    await page.getByRole("heading", { name: "sticks" }).waitFor();
    await page.getByRole("link", { name: "Play sticks" }).click();
    const field = page.getByRole("textbox", { name: "Your move: STICKS" });
    await field.fill("77");
    await page.getByRole("button", { name: "Play it" }).click();
    await page.getByRole("alert").getByText(/77/).waitFor();
    await field.fill("5");
    await field.press("Enter");
    await page
      .getByText(/^A heap of \d+ sticks$/)
      .first()
      .waitFor();
  });

  it("is played to its end by any legal move, and offers legal moves as buttons", async () => {
    const { page } = await open("#/try/sticks/default");
    const any = page.getByRole("button", { name: "Any legal move" });
    const again = page.getByRole("button", { name: "Play again" });
    let buttons = 0;
    for (let turn = 0; turn < MAX_TURNS; turn++) {
      await any.or(again).first().waitFor();
      if (await again.isVisible()) break;
      const picker = await page.getByRole("region", { name: "Your move" }).elementHandle();
      const moves = page.getByRole("group", { name: "Moves" }).getByRole("button");
      if ((await moves.count()) > 0) {
        buttons++;
        await moves.first().click();
      } else await any.click();
      await picker.waitForElementState("hidden");
    }
    await again.waitFor();
    await page
      .locator(".result")
      .getByText(/You (win|lose)\./)
      .waitFor();
    expect(buttons).to.be.above(0);
  });
});
