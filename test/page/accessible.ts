import { expect } from "chai";
import type { Page } from "playwright-core";
import { catalogue } from "../../sdk/games/catalogue.js";
import { look } from "./support/axe.js";
import { describePage, pageChain, visit, type Visitor } from "./support/harness.js";
import { indexOfChain } from "./support/indexed.js";
import { playedMatches } from "./support/matches.js";
import { PERSON, visitWith } from "./support/playing.js";

const MAX_PRESSES = 60;

/** Returns the number of tab stops within an element. */
function tabStops(page: Page, selector: string): Promise<number> {
  return page
    .locator(selector)
    .first()
    .evaluate((whole) => {
      const focusable = Array.from(whole.querySelectorAll<HTMLElement>("a, button, input, [tabindex]"));
      return focusable.filter(({ tabIndex }) => tabIndex >= 0).length;
    });
}

/** Lists the texts of elements that take more than one line. */
function brokenLines(page: Page, selector: string): Promise<string[]> {
  return page.locator(selector).evaluateAll((elements) =>
    elements
      .filter((element) => {
        const range = document.createRange();
        range.selectNodeContents(element.lastChild!);
        const tops = Array.from(range.getClientRects(), ({ bottom }) => Math.round(bottom));
        return element.textContent !== "" && new Set(tops).size > 1;
      })
      .map(({ textContent }) => textContent),
  );
}

/** Presses the tab key until an element has the focus. */
async function tabTo(page: Page, role: string, name: RegExp): Promise<void> {
  for (let presses = 0; presses < MAX_PRESSES; presses++) {
    await page.keyboard.press("Tab");
    const focused = await page.evaluate(() => {
      const { activeElement: element } = document;
      const text = element?.getAttribute("aria-label") ?? element?.textContent ?? "";
      return { role: element?.getAttribute("role") ?? element?.localName, text };
    });
    if (focused.role === role && name.test(focused.text)) return;
  }
  throw new Error(`The tab key never comes to the ${role} ${String(name)}.`);
}

describePage("The page: accessibility", () => {
  let played: ReadonlyMap<string, bigint>;
  before(async () => {
    played = await playedMatches();
  });

  /** Opens addresses one after the other, and checks each as soon as it shows something. */
  async function lookAt(
    visitor: Visitor,
    places: readonly (readonly [hash: string, there: string, press?: string])[],
  ): Promise<void> {
    const { page } = visitor;
    const wrong: string[] = [];
    for (const [hash, there, press] of places) {
      // An empty page removes the earlier content, so that it is not checked twice.
      await page.goto("about:blank");
      await visitor.open(hash);
      if (press !== undefined) {
        await page.getByRole("region", { name: "Players" }).waitFor();
        await page.keyboard.press(press);
      }
      await page.locator(there).first().waitFor();
      await page.locator(".loading").waitFor({ state: "detached" });
      wrong.push(...(await look(page, hash.slice(0, 40))));
    }
    expect(wrong.join("\n")).to.equal("");
  }

  it("has no accessibility violation in the views of a visitor", async () => {
    const visitor = await visit();
    const { address } = await visitor.chain.account(4);
    await lookAt(visitor, [
      ["#/", ".match"],
      ["#/try", ".tile"],
      ["#/play/warmancer/quick", "form"],
      ["#/ranking", "table"],
      [`#/player/${address}`, "h1"],
      ["#/purse", "h1"],
      ["#/settings", "h1"],
      ["#/match/999", "h1"],
      ["#/replay/AAAA", "h1"],
    ]);
  });

  it("has no accessibility violation in the views of a player", async () => {
    const visitor = await visitWith();
    const { address } = await visitor.chain.account(PERSON);
    for (const width of [320, 640, 641, 800, 801]) {
      await visitor.page.setViewportSize({ width, height: 740 });
      expect(await brokenLines(visitor.page, "header a, header button span"), `${width} px`).to.deep.equal([]);
    }
    await lookAt(visitor, [
      ["#/purse", "h2"],
      ["#/settings", "h1"],
      [`#/player/${address}`, "h1"],
      ["#/play/tic-tac-toe", "form"],
    ]);
  });

  it("has no accessibility violation in the views that read from an index", async () => {
    const chain = await pageChain();
    const index = await indexOfChain(chain);
    const visitor = await visit({ deployments: [{ ...chain.deployment, index: index.url }] });
    const [one, other] = await Promise.all([4, 5].map(async (account) => (await chain.account(account)).address));
    await lookAt(visitor, [
      ["#/", ".match"],
      [`#/player/${one}?against=${other}`, ".chart"],
      ["#/ranking/mini-games", "table"],
      ["#/ranking/mini-games?by=points", "nav"],
      ["#/ranking/mini-games?by=winnings", "table"],
    ]);
    await index.stop();
  });

  it("has no accessibility violation in its dialog", async () => {
    const { page, ...visitor } = await visit({ wallets: [{ account: PERSON }] });
    await page.goto(`${visitor.url}#/`);
    await page.getByRole("banner").getByRole("button", { name: "Connect" }).click();
    await page.getByRole("dialog").waitFor();
    expect((await look(page, "dialog")).join("\n")).to.equal("");
  });

  for (const { name, modes } of catalogue) {
    const mode = name === "warmancer" ? "quick" : Object.keys(modes)[0];
    it(`has no accessibility violation in the picker and the scene of ${name}`, async () => {
      const matchId = played.get(name)!;
      await lookAt(await visit(), [
        [`#/try/${name}/${mode}`, ".picker button.primary, .picker [role=grid]"],
        [`#/match/${matchId}/1`, ".board"],
        [`#/match/${matchId}`, ".result", "End"],
      ]);
    });
  }

  it("plays a whole match by keyboard alone", async () => {
    const { page, ...visitor } = await visit();
    await page.goto(`${visitor.url}#/`);
    await page.getByRole("navigation").getByRole("link", { name: "Practice" }).waitFor();
    await tabTo(page, "a", /^Practice$/);
    await page.keyboard.press("Enter");
    await page.locator(".tile").first().waitFor();
    await tabTo(page, "a", /^Play Tic-tac-toe$/i);
    await page.keyboard.press("Enter");
    const grid = page.getByRole("grid");
    const result = page.locator(".result");
    await grid.waitFor();
    expect(await tabStops(page, "[role=grid]")).to.equal(1);
    await tabTo(page, "gridcell", /free$/);
    const told = page.locator(".sentence");
    for (let turn = 0; turn < 5; turn++) {
      await grid.or(result).first().waitFor();
      if (await result.isVisible()) break;
      const before = (await told.textContent())!;
      // Moves row by row to the first free cell.
      const free = await page
        .getByRole("gridcell")
        .evaluateAll((cells) => cells.findIndex((cell) => cell.getAttribute("aria-label")!.endsWith("free")));
      for (const key of ["ArrowUp", "ArrowUp", "Home"]) await page.keyboard.press(key);
      for (let row = 0; row < Math.floor(free / 3); row++) await page.keyboard.press("ArrowDown");
      for (let column = 0; column < free % 3; column++) await page.keyboard.press("ArrowRight");
      await page.keyboard.press("Enter");
      // Screen readers announce both marks.
      await page.waitForFunction(
        ({ text }) => {
          const sentence = document.querySelector(".sentence[aria-live=polite]")!;
          const isOn = document.querySelector("[role=grid]") ?? document.querySelector(".result");
          return isOn && sentence.textContent !== text && sentence.textContent !== "";
        },
        { text: before },
      );
    }
    await result.waitFor();
    // The result takes the focus.
    await page.waitForFunction(() => document.activeElement!.textContent === "Play again");
    await page.keyboard.press("Enter");
    await page.getByRole("gridcell", { name: /free$/ }).nth(8).waitFor();
  });

  it("has one tab stop on Warmancer's board, whose tiles are chosen with arrows, Enter and Escape", async () => {
    const { page, ...visitor } = await visit();
    await page.goto(`${visitor.url}#/try/warmancer/quick`);
    await page.getByRole("grid").waitFor();
    expect(await tabStops(page, "[role=grid]")).to.equal(1);
    await tabTo(page, "gridcell", /your/);
    await page.keyboard.press("Enter");
    await page.getByText(/is picked/).waitFor();
    await page.keyboard.press("Escape");
    await page.getByText(/Tap two of your pawns/).waitFor();
    const tile = () => page.evaluate(() => document.activeElement!.getAttribute("data-tile"));
    const from = await tile();
    await page.keyboard.press("ArrowUp");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowUp");
    expect(await tile()).not.to.equal(from);
  });
});
